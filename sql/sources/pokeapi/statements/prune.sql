-- Deletes rows that were derived from documents that no longer exist.
-- $1 keys bigint[], $2 scope text[] (endpoint)
SELECT pokeapi.derive(($2::text[])[1], array_agg(key)) IS NULL
FROM unnest($1::bigint[]) AS key
WHERE NOT EXISTS (SELECT FROM pokeapi.resource WHERE endpoint = ($2::text[])[1] AND id = key)
