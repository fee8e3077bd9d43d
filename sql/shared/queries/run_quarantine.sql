-- The items in quarantine that a run met, as the quarantine has them now.
-- $1 run
SELECT q.item, q.reason, q.detail, q.count, q.first_at, q.last_at, q.raw AS excerpt
FROM sync.run_quarantine m JOIN sync.run r ON r.id = m.run_id
JOIN sync.quarantine q USING (source, stream, item, reason)
WHERE m.run_id = $1::uuid
ORDER BY q.reason, length(q.item), q.item
