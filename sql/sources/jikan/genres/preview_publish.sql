-- The effect of publishing a walk on the list of genres: how many it has, and how many would be removed. None is
-- removed if the walk met one without a readable id.
-- $1 walk bigint, $2 scope text[] (kind, facet); of a dry run, $3 keys bigint[] of readings that are not stored, and $4
-- how many of their genres bigint would be in the list in addition
SELECT count(*) + $4::bigint AS published, count(*) FILTER (
  WHERE s.key IS NULL AND NOT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)) AS removed
FROM jikan.genre g
LEFT JOIN (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION
  SELECT unnest($3::bigint[])
) s ON s.key = g.mal_id
WHERE g.kind = ($2::text[])[1] AND g.facet = ($2::text[])[2]
