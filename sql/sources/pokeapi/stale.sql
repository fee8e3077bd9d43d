-- Documents that another version of the mapping has stored, in the order of keys, and locked for being written anew.
-- The last byte of a content hash is the version.
-- $1 scope text[] (endpoint), $2 version integer, $3 behind this key bigint, $4 at most so many integer
SELECT r.id, r.raw::text
FROM pokeapi.resource r
WHERE r.endpoint = ($1::text[])[1] AND r.id > $3::bigint
  AND get_byte(r.content_hash, length(r.content_hash) - 1) <> $2::integer
ORDER BY r.id
LIMIT $4::integer
FOR NO KEY UPDATE
