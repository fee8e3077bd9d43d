-- How many documents another version of the mapping has stored. The last byte of a content hash is the version.
-- $1 scope text[] (kind), $2 version integer
SELECT count(*) FROM jikan.media m
WHERE m.kind = ($1::text[])[1] AND get_byte(m.content_hash, length(m.content_hash) - 1) <> $2::integer
