-- The live documents that a walk of an endpoint did not meet, and the number of all live documents for the guard.
-- $1 walk bigint, $2 scope text[] (endpoint), $3 keys that a dry run met bigint[], $4 number of new documents
-- among them bigint
WITH seen AS (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION
  SELECT unnest($3::bigint[])
), live AS (
  SELECT r.id, s.key IS NULL AS is_missing
  FROM pokeapi.resource r LEFT JOIN seen s ON s.key = r.id
  WHERE r.endpoint = ($2::text[])[1] AND r.vanished_at IS NULL
)
SELECT id, (SELECT count(*) FROM live) + $4::bigint AS live
FROM live WHERE is_missing
ORDER BY id
