-- The items that the given runs put in quarantine. Counts and times also include other runs.
-- $1 runs uuid[]
SELECT q.stream, q.item, q.reason, q.detail, q.count, q.first_at, q.last_at, q.raw AS excerpt
FROM sync.quarantine q
WHERE (q.source, q.stream, q.item, q.reason) IN (
  SELECT r.source, r.stream, m.item, m.reason FROM sync.run_quarantine m JOIN sync.run r ON r.id = m.run_id
  WHERE m.run_id = ANY ($1::text[]::uuid[]))
ORDER BY q.stream, q.reason, length(q.item), q.item
