-- The items that a published walk met and the mirror lacks, except items that the walk put in quarantine.
-- $1 walk bigint, $2 scope text[], $3 source text, $4 stream text
WITH met AS MATERIALIZED (
  SELECT DISTINCT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
), unusable AS MATERIALIZED (
  SELECT q.item FROM sync.quarantine q
  WHERE q.source = $3::text AND q.stream = $4::text
    AND q.last_at >= (SELECT w.started_at FROM sync.walk w WHERE w.id = $1::bigint)
)
SELECT key, (/* document key */)::text
FROM met
/* look-up */
WHERE d.content_hash IS NULL AND key::text NOT IN (SELECT item FROM unusable)
ORDER BY key
