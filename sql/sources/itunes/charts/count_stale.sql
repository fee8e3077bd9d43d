-- How many entries another version of the mapping has stored. The last byte of a content hash is the version.
-- $1 scope text[] (country, media, feed, type), $2 version integer
SELECT count(*) FROM itunes.chart_item c
WHERE c.country = ($1::text[])[1] AND c.type = ($1::text[])[4]
  AND get_byte(c.content_hash, length(c.content_hash) - 1) <> $2::integer
