-- The runs of an invocation, oldest first. NULL selects the invocation of the latest run. If an earlier version
-- recorded the latest run without an invocation, NULL selects only the latest run.
-- $1 beginning of the id, or NULL
WITH latest AS (
  SELECT id, invocation_id FROM sync.run WHERE $1::text IS NULL ORDER BY started_at DESC, id LIMIT 1
)
SELECT id, invocation_id, source, stream, sync.run_status(status, source, stream) AS status, started_at, finished_at,
       pages, requests, retries, not_modified, identical, rows_seen, inserted, updated, documents_updated, unchanged, duplicates, quarantined, repaired,
       vanished, fresh, permits_waited, waited_ms, bytes, wal_bytes, not_understood, certificate, error, warning,
       sync.run_held(status, guarded, error) AS held
FROM sync.run
WHERE id = (SELECT id FROM latest) OR invocation_id = (SELECT invocation_id FROM latest)
   OR starts_with(invocation_id::text, sync.lower($1::text))
ORDER BY started_at, id
