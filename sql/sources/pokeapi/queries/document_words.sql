-- All names by which a document of an endpoint can be requested.
-- $1 endpoint
SELECT name FROM pokeapi.resource WHERE endpoint = $1 AND name IS NOT NULL AND vanished_at IS NULL
UNION SELECT n.name FROM pokeapi.name n JOIN pokeapi.resource r USING (endpoint, id)
WHERE n.endpoint = $1 AND r.vanished_at IS NULL
ORDER BY 1
