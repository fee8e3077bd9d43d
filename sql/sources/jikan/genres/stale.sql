-- Genres that another version of the mapping has stored, in the order of keys, and locked for being written anew. The
-- last byte of a content hash is the version.
-- $1 scope text[] (kind, facet), $2 version integer, $3 behind this key bigint, $4 at most so many integer
SELECT g.mal_id, g.raw::text
FROM jikan.genre g
WHERE g.kind = ($1::text[])[1] AND g.facet = ($1::text[])[2] AND g.mal_id > $3::bigint
  AND get_byte(g.content_hash, length(g.content_hash) - 1) <> $2::integer
ORDER BY g.mal_id
LIMIT $4::integer
FOR NO KEY UPDATE
