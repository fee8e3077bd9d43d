-- Counts the entries that publishing a walk leaves in the list, and those that it removes (none: unreadable ids).
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter), $3 unstored readings of a dry run bigint[], $4 unused
WITH seen AS MATERIALIZED (
  SELECT unnest(keys) AS key FROM sync.published_page WHERE walk_id = $1::bigint
  UNION ALL
  SELECT unnest($3::bigint[])
)
-- No join: for a table without statistics, the planner chooses a nested loop.
SELECT count(*) AS published, count(*) FILTER (
  WHERE r.mal_id NOT IN (SELECT key FROM seen)
    AND NOT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)) AS removed
FROM jikan.ranking r
WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3] AND $4::bigint IS NOT NULL
