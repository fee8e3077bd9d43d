-- title: Freshness
-- description: For each stream, the time of its last complete state, the age of this state, and its latest run.
-- narrow: source, provider, consistent, inserted, updated, quarantined, rows_seen, entries, last_error
-- column: source | Source, e.g. jikan.
-- column: stream | Stream within the source.
-- column: provider | Provider that the stream reads.
-- column: last_complete_at | Latest time at which the stream was complete or ignored as declared; null if never.
-- column: age_hours | Hours since last_complete_at.
-- column: entries | Entries of the published list; null for a stream without a list.
-- column: consistent | Whether the list stayed the same while it was read, or was read again until it stayed the same.
-- column: last_status | Status of the latest run, as in sync.run.
-- column: rows_seen | Items that the latest run received.
-- column: inserted | Items that were new to the mirror.
-- column: updated | Items that differed from the mirror.
-- column: quarantined | Items that could not be stored.
-- column: last_error | Error of the latest run.
SELECT s.source, s.stream, s.provider, f.whole_at AS last_complete_at,
       round(extract(epoch FROM now() - f.whole_at) / 3600, 1) AS age_hours,
       p.entries, p.consistent, r.status AS last_status, r.rows_seen, r.inserted, r.updated, r.quarantined,
       r.error AS last_error
FROM sync.stream_state s
LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
LEFT JOIN LATERAL (
  SELECT * FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream ORDER BY r.started_at DESC LIMIT 1
) r ON true
ORDER BY s.source, s.stream
