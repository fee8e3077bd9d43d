SELECT item.*, CASE WHEN jsonb_typeof(raw->'title') = 'string' THEN raw->>'title' END AS title FROM item
