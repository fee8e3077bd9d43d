-- Which documents differ from the mirror. Reads only; an unchanged document costs nothing here. What was written after
-- they were asked for is newer than they are, and does not count as different.
-- `differing` is the table whose row differs.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none: documents have no counters),
-- $4 scope text[] (endpoint), $5 seconds since they were asked for
SELECT i.key, r.id IS NULL AS is_new, r.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       r.vanished_at IS NOT NULL AS is_vanished, 'pokeapi.resource' AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
-- One look-up for each document, whatever the planner thinks: of a table that was not analyzed yet, as in a first load,
-- it takes an endpoint for a few rows, and would read all of them for each batch.
LEFT JOIN LATERAL (
  SELECT id, content_hash, changed_at, vanished_at FROM pokeapi.resource
  WHERE endpoint = ($4::text[])[1] AND id = i.key OFFSET 0
) r ON true
WHERE (r.content_hash IS DISTINCT FROM i.content_hash OR r.vanished_at IS NOT NULL)
  AND (r.changed_at > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
