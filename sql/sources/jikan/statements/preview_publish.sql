-- Counts the published entries, and the entries that publishing the walk would remove (0 if an id was unreadable).
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter), $3 keys that a dry run met bigint[],
-- $4 number of new keys among them bigint
WITH unused AS (SELECT $4::bigint), seen AS MATERIALIZED (
  SELECT unnest(keys) AS key FROM sync.published_page WHERE walk_id = $1::bigint
  UNION ALL
  SELECT unnest($3::bigint[])
)
-- A join is avoided, because the planner would run it as a slow nested loop if statistics are missing.
SELECT count(*) AS published, count(*) FILTER (
  WHERE r.mal_id NOT IN (SELECT key FROM seen) AND NOT /* has unreadable */) AS removed
FROM jikan.ranking r
WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
