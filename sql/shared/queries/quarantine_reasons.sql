-- The number of items in quarantine for each stream and reason, the latest first.
SELECT source, stream, reason, count(*) AS items, max(last_at) AS last_at,
       (array_agg(last_run_id ORDER BY last_at DESC))[1] AS run_id
FROM sync.quarantine GROUP BY source, stream, reason ORDER BY max(last_at) DESC, source, stream, reason
