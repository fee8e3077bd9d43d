-- $1 source text
SELECT stream FROM sync.stream_state WHERE source = $1::text ORDER BY stream
