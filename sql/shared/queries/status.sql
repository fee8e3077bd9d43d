-- For each stream: when it was last complete, the outcome of its latest run, and the result of its latest verification.
SELECT s.source, s.stream, f.whole_at AS last_complete_at, p.entries, p.consistent, f.consistent_at AS last_consistent_at,
       sync.run_status(r.status, r.source, r.stream) AS last_run,
       r.started_at, r.rows_seen, r.inserted, r.updated, r.unchanged, r.quarantined,
       s.cursor AS resumes_after_page, s.provider,
       s.origin, v.finished_at AS verified_at, v.differences
FROM sync.stream_state s
LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
LEFT JOIN LATERAL (
  SELECT * FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream ORDER BY r.started_at DESC LIMIT 1
) r ON true
LEFT JOIN LATERAL (
  SELECT * FROM sync.verification v
  WHERE v.source = s.source AND (v.streams IS NULL OR s.stream = ANY (v.streams)) ORDER BY v.id DESC LIMIT 1
) v ON true
ORDER BY s.source, s.stream
