-- Marks documents as gone whose own address said so, unless somebody has written them since it was asked. Says how
-- many. What was derived from them stays.
-- `dropped_by` is the table that did not take what was written to it.
-- $1 keys bigint[], $2 scope text[] (endpoint), $3 seconds since the addresses were asked
WITH gone AS (
  -- Locked in the order of keys, as all writers do.
  SELECT r.id FROM pokeapi.resource r
  WHERE r.endpoint = ($2::text[])[1] AND r.id = ANY ($1::bigint[]) AND r.vanished_at IS NULL
    AND (r.changed_at > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
  ORDER BY r.id
  FOR NO KEY UPDATE OF r
), marked AS (
  UPDATE pokeapi.resource r SET vanished_at = clock_timestamp(), changed_at = clock_timestamp()
  FROM gone WHERE r.endpoint = ($2::text[])[1] AND r.id = gone.id
  RETURNING 1
)
SELECT count(*), CASE WHEN count(*) < (SELECT count(*) FROM gone) THEN 'pokeapi.resource' END AS dropped_by FROM marked
