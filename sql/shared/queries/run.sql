-- The run whose id begins with a text. Two rows mean that several runs match.
-- $1 beginning of the id
SELECT id, invocation_id, source, stream, sync.run_status(status, source, stream) AS status, started_at, finished_at,
       pages, requests, retries, not_modified, identical, rows_seen, inserted, updated, documents_updated, unchanged, duplicates, quarantined, repaired,
       vanished, fresh, permits_waited, waited_ms, bytes, wal_bytes, not_understood, certificate, error, warning,
       sync.run_held(status, guarded, error) AS held
FROM sync.run
WHERE starts_with(id::text, sync.lower($1::text))
ORDER BY started_at DESC, id LIMIT 2
