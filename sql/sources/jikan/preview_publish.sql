-- What publishing a walk would do to the published list: how many entries it has, and how many would go. None goes when
-- the walk met an item without a readable id.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter)
SELECT count(*) AS published, count(*) FILTER (
  WHERE s.key IS NULL AND NOT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)) AS removed
FROM jikan.ranking r
LEFT JOIN (
  SELECT DISTINCT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint AND list_page IS NOT NULL
) s ON s.key = r.mal_id
WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
