-- Whether `syncctl migrate` has restored functions that sql/citus.sql had replaced. Only sql/citus.sql stores the setting.
-- app.item_of stands for all functions: each migration of functions or of a declared source creates it again, and
-- sql/citus.sql replaces it after the others.
SELECT CASE WHEN current_setting('citus.allow_nested_distributed_execution', true) = 'on' THEN EXISTS (
  SELECT FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE p.pronamespace::regnamespace::text = 'app' AND p.proname = 'item_of' AND l.lanname = 'sql'
) ELSE false END
