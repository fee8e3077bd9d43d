-- The first row, without a key, contains the number of runs. Each other row is a run whose counts do not add up.
-- $1 source text, $2 streams text[] (null for all)
WITH run AS (
  SELECT id, rows_seen, inserted + updated + unchanged + duplicates + quarantined AS outcomes, updated, documents_updated
  FROM sync.run WHERE source = $1::text AND ($2::text[] IS NULL OR stream = ANY ($2::text[]))
)
SELECT NULL AS key, NULL AS name, count(*)::text AS stored, NULL AS expected FROM run
UNION ALL
SELECT jsonb_build_object('id', id)::text, 'rows_seen', rows_seen::text, outcomes::text FROM run
WHERE rows_seen <> outcomes
UNION ALL
SELECT jsonb_build_object('id', id)::text, 'documents_updated', documents_updated::text, NULL FROM run
WHERE documents_updated > updated
