-- Entries that another version of the mapping has stored, in the order of keys, and locked for being written anew. The
-- last byte of a content hash is the version.
-- $1 scope text[] (country, media, feed, type), $2 version integer, $3 behind this key bigint,
-- $4 at most so many integer
SELECT c.id, c.raw::text
FROM itunes.chart_item c
WHERE c.country = ($1::text[])[1] AND c.type = ($1::text[])[4] AND c.id > $3::bigint
  AND get_byte(c.content_hash, length(c.content_hash) - 1) <> $2::integer
ORDER BY c.id
LIMIT $4::integer
FOR NO KEY UPDATE
