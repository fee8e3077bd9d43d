-- The number of documents that another version of the mapping derived. The last byte of content_hash is the version.
-- $1 scope text[], $2 version integer
SELECT count(*) FROM /* table */ d
WHERE /* in scope */ AND get_byte(d.content_hash, length(d.content_hash) - 1) <> $2::integer
