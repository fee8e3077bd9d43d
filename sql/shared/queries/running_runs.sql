-- The runs that are under way, without runs whose process has ended.
SELECT r.id, r.source, r.stream, r.started_at, r.pages, r.rows_seen, r.requests,
       extract(epoch FROM clock_timestamp() - r.started_at)::double precision AS seconds
FROM sync.run r
JOIN sync.stream_state s ON s.source = r.source AND s.stream = r.stream AND s.lease_expires_at > clock_timestamp()
WHERE r.status = 'running' ORDER BY r.started_at, r.source, r.stream
