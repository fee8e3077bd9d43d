-- The effect of publishing a walk on the published list: how many entries it has, and how many would be removed. None
-- is removed if the walk met an item without a readable id.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter); of a dry run, $3 keys bigint[] of readings that are not
-- stored; $4 number of their new items bigint is not needed
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
