-- Counts the published entries, and the entries that publishing the walk would remove (0 if an id was unreadable).
-- $1 walk bigint, $2 scope text[], $3 keys that a dry run met bigint[], $4 number of new keys among them bigint
WITH unused AS (SELECT $2::text[], $4::bigint), seen AS MATERIALIZED (
  SELECT unnest(keys) AS key FROM sync.published_page WHERE walk_id = $1::bigint
  UNION ALL
  SELECT unnest($3::bigint[])
)
SELECT count(*) AS published, count(*) FILTER (
  WHERE syncctl_key NOT IN (SELECT key FROM seen) AND NOT /* has unreadable */) AS removed
FROM /* list table */
