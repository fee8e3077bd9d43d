-- Freshness of every stream: when it was last complete, how old that is, and how the latest run ended.
-- Omitted where it is narrow: source, provider, consistent, inserted, updated, quarantined, rows_seen, entries, last_error
SELECT s.source, s.stream, s.provider,
       to_char(f.whole_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS last_complete_at,
       round(extract(epoch FROM now() - f.whole_at) / 3600, 1) AS age_hours,
       p.entries, p.consistent, r.status AS last_status, r.rows_seen, r.inserted, r.updated, r.quarantined, r.error AS last_error
FROM sync.stream_state s
LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
LEFT JOIN LATERAL (
  SELECT * FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream ORDER BY r.started_at DESC LIMIT 1
) r ON true
ORDER BY s.source, s.stream
