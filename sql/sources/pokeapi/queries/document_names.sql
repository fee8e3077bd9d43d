-- The names of the documents of an endpoint, for a shell that completes one.
-- $1 endpoint
SELECT name FROM pokeapi.resource WHERE endpoint = $1 AND name IS NOT NULL AND vanished_at IS NULL ORDER BY id
