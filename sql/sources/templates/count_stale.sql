-- The number of documents with another version of the mapping, which is the last byte of a content hash.
-- $1 scope text[], $2 version integer
SELECT count(*) FROM /* table */ d
WHERE /* in scope */ AND get_byte(d.content_hash, length(d.content_hash) - 1) <> $2::integer
