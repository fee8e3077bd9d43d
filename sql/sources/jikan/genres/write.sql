-- Stores genres that differ, sorted by key so that two writers never deadlock. What was written after they were asked for
-- is newer than they are, and stays.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents jsonb[],
-- $5 scope text[] (kind, facet), $6 seconds since the list was asked for
INSERT INTO jikan.genre AS g (kind, facet, mal_id, name, url, count, raw, content_hash, counter_hash)
SELECT ($5::text[])[1], ($5::text[])[2], i.mal_id, raw->>'name', raw->>'url', jikan.whole(raw->'count'), raw,
       content_hash, counter_hash
FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::jsonb[]) AS i (mal_id, content_hash, counter_hash, raw)
ORDER BY i.mal_id
ON CONFLICT (kind, facet, mal_id) DO UPDATE SET
  name = excluded.name, url = excluded.url, count = excluded.count, raw = excluded.raw,
  content_hash = excluded.content_hash, counter_hash = excluded.counter_hash,
  changed_at = CASE WHEN g.content_hash = excluded.content_hash THEN g.changed_at ELSE clock_timestamp() END
WHERE (g.changed_at > statement_timestamp() - make_interval(secs => $6)) IS NOT TRUE
