-- The last publication of a list at or before a time, with its run's certificate. A type without its own list uses the
-- list of all types.
-- $1 kind, $2 subtype, $3 filter, $4 time
WITH last AS MATERIALIZED (
  SELECT * FROM jikan.ranking_publication
  WHERE kind = $1 AND filter = $3 AND subtype IN ($2, 'all') AND published_at <= $4::timestamptz
  ORDER BY subtype = $2 DESC, published_at DESC LIMIT 1
)
SELECT subtype, published_at::text, entries, positions, p.consistent, r.certificate::text AS certificate
FROM last p LEFT JOIN sync.run r ON r.id = p.run_id
