-- How many genres another version of the mapping has stored. The last byte of a content hash is the version.
-- $1 scope text[] (kind, facet), $2 version integer
SELECT count(*) FROM jikan.genre g
WHERE g.kind = ($1::text[])[1] AND g.facet = ($1::text[])[2]
  AND get_byte(g.content_hash, length(g.content_hash) - 1) <> $2::integer
