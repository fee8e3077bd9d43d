-- Marks items as gone whose own address said so, unless somebody has written them since it was asked. Says how many.
-- `dropped_by` is the table that did not take what was written to it.
-- $1 keys bigint[], $2 scope text[] (kind), $3 seconds since the addresses were asked
WITH gone AS (
  -- Locked in the order of keys, as all writers do.
  SELECT m.mal_id FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE m.kind = ($2::text[])[1] AND m.mal_id = ANY ($1::bigint[]) AND m.vanished_at IS NULL
    AND (greatest(m.changed_at, c.changed_at) > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
  ORDER BY m.mal_id
  FOR NO KEY UPDATE OF m
), marked AS (
  UPDATE jikan.media m SET vanished_at = clock_timestamp(), changed_at = clock_timestamp()
  FROM gone WHERE m.kind = ($2::text[])[1] AND m.mal_id = gone.mal_id
  RETURNING 1
)
SELECT count(*), CASE WHEN count(*) < (SELECT count(*) FROM gone) THEN 'jikan.media' END AS dropped_by FROM marked
