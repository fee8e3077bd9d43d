-- The live documents that a walk of an endpoint did not meet, and the number of all live documents for the guard.
-- $1 walk bigint, $2 scope text[] (endpoint), $3 keys that a dry run met bigint[], $4 number of new documents
-- among them bigint
-- One aggregate instead of a join, as in Jikan's statement.
WITH item AS (
  SELECT key, bool_and(is_stored) AS is_missing
  FROM (
    SELECT id AS key, true AS is_stored FROM pokeapi.resource
    WHERE endpoint = ($2::text[])[1] AND vanished_at IS NULL
    UNION ALL
    SELECT unnest(keys), false FROM sync.walk_page WHERE walk_id = $1::bigint
    UNION ALL
    SELECT unnest($3::bigint[]), false
  ) reading
  GROUP BY key
  HAVING bool_or(is_stored)
)
SELECT key, (SELECT count(*) FROM item) + $4::bigint AS live FROM item WHERE is_missing ORDER BY key
