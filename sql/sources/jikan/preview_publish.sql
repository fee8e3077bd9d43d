-- What publishing a walk would do to the published list: how many entries it has, and how many would go. None goes when
-- the walk met an item without a readable id.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter); of a dry run, $3 keys bigint[] of readings that are not
-- stored; $4 how many of their items bigint are new is not needed
WITH seen AS MATERIALIZED (
  SELECT unnest(keys) AS key FROM sync.published_page WHERE walk_id = $1::bigint
  UNION ALL
  SELECT unnest($3::bigint[])
)
-- No join: of a table that was not analyzed, the planner makes a nested loop.
SELECT count(*) AS published, count(*) FILTER (
  WHERE r.mal_id NOT IN (SELECT key FROM seen)
    AND NOT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)) AS removed
FROM jikan.ranking r
WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3] AND $4::bigint IS NOT NULL
