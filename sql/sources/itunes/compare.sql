-- Which records differ from the mirror. Reads only; an unchanged record costs nothing here. What was written after they
-- were asked for is newer than they are, and does not count as different.
-- `differing` is the table whose row differs.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none: records have no counters),
-- $4 scope text[] (country, …), $5 seconds since they were asked for
SELECT i.key, s.id IS NULL AS is_new, s.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       s.vanished_at IS NOT NULL AS is_vanished, 'itunes.item' AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
-- One look-up for each record, whatever the planner thinks of a table that was not analyzed yet.
LEFT JOIN LATERAL (
  SELECT id, content_hash, changed_at, vanished_at FROM itunes.item
  WHERE country = ($4::text[])[1] AND class = itunes.key_class(i.key) AND id = itunes.key_id(i.key) OFFSET 0
) s ON true
WHERE (s.content_hash IS DISTINCT FROM i.content_hash OR s.vanished_at IS NOT NULL)
  AND (s.changed_at > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
