-- The latest runs, newest first.
-- $1 limit
SELECT id, invocation_id, source, stream, status, started_at,
       round(extract(epoch FROM finished_at - started_at), 1) AS duration_seconds,
       pages, requests, rows_seen, inserted, updated, unchanged, duplicates, quarantined
FROM sync.run ORDER BY started_at DESC, id LIMIT $1
