-- Which genres of a list differ from the mirror. Reads only. What was written after the list was asked for is newer than
-- the list, and does not count as different.
-- `differing` is the table whose row differs.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 scope text[] (kind, facet),
-- $5 seconds since the list was asked for
SELECT i.key, g.mal_id IS NULL AS is_new, g.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       false AS is_vanished, 'jikan.genre' AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
LEFT JOIN jikan.genre g ON g.kind = ($4::text[])[1] AND g.facet = ($4::text[])[2] AND g.mal_id = i.key
WHERE (g.content_hash IS DISTINCT FROM i.content_hash OR g.counter_hash IS DISTINCT FROM i.counter_hash)
  AND (greatest(g.changed_at, g.count_changed_at) > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
