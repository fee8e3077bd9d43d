-- Which items of a page differ from the mirror. Reads only; an unchanged page costs nothing here. What was written after
-- the page was asked for is newer than the page, and does not count as different.
-- `differing` is the table whose row differs.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 scope text[] (kind, …),
-- $5 seconds since the page was asked for
SELECT i.key, m.mal_id IS NULL AS is_new, m.content_hash IS DISTINCT FROM i.content_hash AS document_differs,
       m.vanished_at IS NOT NULL AS is_vanished,
       CASE WHEN m.content_hash IS DISTINCT FROM i.content_hash OR m.vanished_at IS NOT NULL
            THEN 'jikan.media' ELSE 'jikan.media_counters' END AS differing
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
-- One look-up for each item, whatever the planner thinks: of a table that was not analyzed yet, as in a first load, it
-- takes a kind for a few rows, and would read all of them for each page.
LEFT JOIN LATERAL (
  SELECT mal_id, content_hash, changed_at, vanished_at FROM jikan.media
  WHERE kind = ($4::text[])[1] AND mal_id = i.key OFFSET 0
) m ON true
LEFT JOIN LATERAL (
  SELECT counter_hash, changed_at FROM jikan.media_counters
  WHERE kind = ($4::text[])[1] AND mal_id = i.key OFFSET 0
) c ON true
WHERE (m.content_hash IS DISTINCT FROM i.content_hash
    OR c.counter_hash IS DISTINCT FROM i.counter_hash
    OR m.vanished_at IS NOT NULL)
  AND (greatest(m.changed_at, c.changed_at) > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
