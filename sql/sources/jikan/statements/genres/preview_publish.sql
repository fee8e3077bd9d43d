-- Counts the stored and new genres, and the genres that publishing a walk would remove (0 if an id was unreadable).
-- $1 walk bigint, $2 scope text[] (kind, facet), $3 keys that a dry run met bigint[], $4 number of new
-- genres among them bigint
SELECT count(*) + $4::bigint AS published, count(*) FILTER (
  WHERE s.key IS NULL AND NOT /* has unreadable */) AS removed
FROM jikan.genre g
LEFT JOIN (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION
  SELECT unnest($3::bigint[])
) s ON s.key = g.mal_id
WHERE g.kind = ($2::text[])[1] AND g.facet = ($2::text[])[2]
