-- Brings vanished items back that were met again, but whose record could not be used: what is known of them stays.
-- `dropped_by` is the table that did not take what was written to it.
-- $1 keys bigint[], $2 scope text[] (country, …), $3 seconds since they were asked for
WITH back AS (
  SELECT i.country, i.class, i.id
  FROM itunes.item i JOIN unnest($1::bigint[]) AS key ON i.class = itunes.key_class(key) AND i.id = itunes.key_id(key)
  WHERE i.country = ($2::text[])[1] AND i.vanished_at IS NOT NULL
    AND (i.changed_at > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
  ORDER BY key
  -- The transaction holds other items by now, and must not wait for one more. Who holds it brings it back as well, or
  -- the next page does that has it.
  FOR NO KEY UPDATE OF i SKIP LOCKED
), returned AS (
  UPDATE itunes.item i SET vanished_at = NULL, changed_at = clock_timestamp()
  FROM back WHERE (i.country, i.class, i.id) = (back.country, back.class, back.id)
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM returned) < (SELECT count(*) FROM back) THEN 'itunes.item' END AS dropped_by
