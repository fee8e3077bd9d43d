'{}'::jsonb
