-- The names of the documents of some endpoints, for completion in a shell.
-- $1 endpoints text[]
SELECT name FROM pokeapi.resource WHERE endpoint = ANY ($1::text[]) AND name IS NOT NULL AND vanished_at IS NULL
ORDER BY array_position($1::text[], endpoint), id
