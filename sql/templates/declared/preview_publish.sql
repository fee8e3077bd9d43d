-- Counts the published entries, and the entries that publishing the walk would remove (0 if an id was unreadable).
-- $1 walk bigint, $2 scope text[], $3 keys that a dry run met bigint[], $4 unused
WITH seen AS MATERIALIZED (
  SELECT unnest(keys) AS key FROM sync.published_page WHERE walk_id = $1::bigint
  UNION ALL
  SELECT unnest($3::bigint[])
)
SELECT count(*) AS published, count(*) FILTER (
  WHERE syncctl_key NOT IN (SELECT key FROM seen)
    AND NOT EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)) AS removed
FROM /* list table */ WHERE $2::text[] IS NOT NULL AND $4::bigint IS NOT NULL
