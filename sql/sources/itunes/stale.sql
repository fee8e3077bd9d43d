-- Records that another version of the mapping has stored, in the order of keys, and locked for being written anew. The
-- last byte of a content hash is the version.
-- $1 scope text[] (country, …), $2 version integer, $3 behind this key bigint, $4 at most so many integer
SELECT itunes.key(i.class, i.id), i.raw::text
FROM itunes.item i
WHERE i.country = ($1::text[])[1] AND itunes.key(i.class, i.id) > $3::bigint
  AND get_byte(i.content_hash, length(i.content_hash) - 1) <> $2::integer
ORDER BY itunes.key(i.class, i.id)
LIMIT $4::integer
FOR NO KEY UPDATE
