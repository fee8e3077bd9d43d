-- Brings vanished documents back that were met again, but could not be used: what is known of them stays.
-- `dropped_by` is the table that did not take what was written to it.
-- $1 keys bigint[], $2 scope text[] (endpoint), $3 seconds since they were asked for
WITH back AS (
  SELECT r.id FROM pokeapi.resource r
  WHERE r.endpoint = ($2::text[])[1] AND r.id = ANY ($1::bigint[]) AND r.vanished_at IS NOT NULL
    AND (r.changed_at > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
  ORDER BY r.id
  -- The transaction holds other documents by now, and must not wait for one more. Who holds it brings it back as well,
  -- or the next batch does that has it.
  FOR NO KEY UPDATE OF r SKIP LOCKED
), returned AS (
  UPDATE pokeapi.resource r SET vanished_at = NULL, changed_at = clock_timestamp()
  FROM back WHERE r.endpoint = ($2::text[])[1] AND r.id = back.id
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM returned) < (SELECT count(*) FROM back) THEN 'pokeapi.resource' END AS dropped_by
