-- The tables that have rows but no statistics, if the role owns them or has MAINTAIN on them (PostgreSQL 17).
-- Partitioned tables are included, because autovacuum never analyzes them. reltuples does not show whether a table was
-- analyzed, because pg_restore also sets reltuples. OFFSET 0 makes PostgreSQL look up each table; a join would check the
-- rights on all columns of the database.
SELECT c.oid::regclass::text
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE (n.nspname IN ('sync', 'app')
    OR n.nspname IN (SELECT split_part(folder, '/', 2) FROM sync.function_set WHERE folder LIKE 'sources/%'))
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = n.nspname AND s.tablename = c.relname OFFSET 0)
  AND coalesce(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) IS NULL
  AND (pg_relation_size(c.oid) > 0
    OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid AND pg_relation_size(i.inhrelid) > 0))
  AND (pg_has_role(c.relowner, 'USAGE')
    OR CASE WHEN current_setting('server_version_num')::integer >= 170000
         THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE false END)
ORDER BY 1
