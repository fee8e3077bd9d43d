-- Brings vanished items back that were met again, but whose document could not be used, or is still the same and was not
-- sent: what is known of them stays.
-- `dropped_by` is the table that did not take what was written to it.
-- $1 keys bigint[], $2 scope text[] (kind, …), $3 seconds since they were asked for
WITH back AS (
  SELECT m.mal_id FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE m.kind = ($2::text[])[1] AND m.mal_id = ANY ($1::bigint[]) AND m.vanished_at IS NOT NULL
    AND (greatest(m.changed_at, c.changed_at) > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
  ORDER BY m.mal_id
  -- The transaction holds other items by now, and must not wait for one more. Who holds it brings it back as well, or
  -- the next page does that has it.
  FOR NO KEY UPDATE OF m SKIP LOCKED
), returned AS (
  UPDATE jikan.media m SET vanished_at = NULL, changed_at = clock_timestamp()
  FROM back WHERE m.kind = ($2::text[])[1] AND m.mal_id = back.mal_id
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM returned) < (SELECT count(*) FROM back) THEN 'jikan.media' END AS dropped_by
