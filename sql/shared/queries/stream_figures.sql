-- Of every stream, as of when it is known to be whole, how many seconds ago that was, and how many entries it has.
SELECT s.source, s.stream, extract(epoch FROM f.whole_at)::double precision,
       extract(epoch FROM clock_timestamp() - f.whole_at)::double precision, p.entries
FROM sync.stream_state s
LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
ORDER BY s.source, s.stream
