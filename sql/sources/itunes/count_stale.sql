-- How many records another version of the mapping has stored. The last byte of a content hash is the version.
-- $1 scope text[] (country, …), $2 version integer
SELECT count(*) FROM itunes.item i
WHERE i.country = ($1::text[])[1] AND get_byte(i.content_hash, length(i.content_hash) - 1) <> $2::integer
