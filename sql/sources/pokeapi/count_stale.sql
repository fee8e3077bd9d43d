-- How many documents another version of the mapping has stored. The last byte of a content hash is the version.
-- $1 scope text[] (endpoint), $2 version integer
SELECT count(*) FROM pokeapi.resource r
WHERE r.endpoint = ($1::text[])[1] AND get_byte(r.content_hash, length(r.content_hash) - 1) <> $2::integer
