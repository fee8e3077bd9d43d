-- For each table of the source: the number of rows, and a hash of the rows without times, run_id and consistent.
SELECT format($$
  SELECT %L, count(*), md5(string_agg(hash, '' ORDER BY hash)) FROM (
    SELECT md5((to_jsonb(t) - '{first_seen_at,changed_at,requested_at,valid_from,published_at,taken_at,set_at}'::text[]
                - '{run_id,consistent}'::text[])::text) AS hash
    FROM jikan.%I t) hashed$$, relname, relname)
FROM pg_class WHERE relnamespace = 'jikan'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
ORDER BY relname
\gexec
