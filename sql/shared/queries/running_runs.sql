-- The runs that are under way.
SELECT id, source, stream, started_at, pages, rows_seen, requests,
       extract(epoch FROM clock_timestamp() - started_at)::double precision AS seconds
FROM sync.run WHERE status = 'running' AND sync.run_status(status, source, stream) = 'running'
ORDER BY started_at, source, stream
