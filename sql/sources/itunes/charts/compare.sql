-- Which entries of a chart differ from the mirror. Reads only. What was written after the chart was asked for is newer
-- than it, and does not count as different.
-- `differing` is the table whose row differs.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none: entries have no counters),
-- $4 scope text[] (country, media, feed, type), $5 seconds since the chart was asked for
SELECT i.key, c.id IS NULL AS is_new, c.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       false AS is_vanished, 'itunes.chart_item' AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
LEFT JOIN itunes.chart_item c ON c.country = ($4::text[])[1] AND c.type = ($4::text[])[4] AND c.id = i.key
WHERE c.content_hash IS DISTINCT FROM i.content_hash
  AND (c.changed_at > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
