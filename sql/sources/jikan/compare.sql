-- Which items of a page differ from the mirror. Reads only; an unchanged page costs nothing here. What was written after
-- the page was asked for is newer than the page, and does not count as different.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 scope text[] (kind, …),
-- $5 seconds since the page was asked for
SELECT i.key, m.mal_id IS NULL AS is_new, m.content_hash IS DISTINCT FROM i.content_hash AS document_differs
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS i (key, content_hash, counter_hash)
LEFT JOIN jikan.media m ON m.kind = ($4::text[])[1] AND m.mal_id = i.key
LEFT JOIN jikan.media_counters c ON c.kind = ($4::text[])[1] AND c.mal_id = i.key
WHERE (m.content_hash IS DISTINCT FROM i.content_hash
    OR c.counter_hash IS DISTINCT FROM i.counter_hash
    OR m.vanished_at IS NOT NULL)
  AND (greatest(m.changed_at, c.changed_at) > statement_timestamp() - make_interval(secs => $5)) IS NOT TRUE
