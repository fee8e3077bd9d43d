-- Stores items that differ, sorted by key so that two writers never deadlock. What was written after the items were
-- asked for is newer than they are, and stays.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents jsonb[],
-- $5 scope text[] (kind, …), $6 seconds since the items were asked for
WITH item AS (
  SELECT ($5::text[])[1] AS kind, i.*, statement_timestamp() - make_interval(secs => $6) AS asked_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::jsonb[]) AS i (mal_id, content_hash, counter_hash, raw)
), older AS (
  -- Filtered here and not by ON CONFLICT, which locks, and so writes, the rows that it leaves alone. A counter that
  -- comes or goes changes the document too, so that the views give back neither more nor fewer members than it has.
  SELECT i.*, c.counter_hash IS DISTINCT FROM i.counter_hash AS counters_differ,
         m.content_hash IS DISTINCT FROM i.content_hash OR m.vanished_at IS NOT NULL OR EXISTS (
           SELECT FROM unnest('{score,scored,scored_by,rank,popularity,members,favorites}'::text[]) AS counter (name)
           WHERE (m.raw ? counter.name) <> (i.raw ? counter.name)) AS document_differs
  FROM item i LEFT JOIN jikan.media m USING (kind, mal_id) LEFT JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE (greatest(m.changed_at, c.changed_at) > i.asked_at) IS NOT TRUE
  ORDER BY i.mal_id
), counters AS (
  INSERT INTO jikan.media_counters AS c
    (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, changed_at)
  SELECT kind, mal_id, (raw->>'score')::numeric, jikan.whole(raw->'scored_by'), jikan.whole(raw->'rank'),
         jikan.whole(raw->'popularity'), jikan.whole(raw->'members'), jikan.whole(raw->'favorites'), counter_hash,
         clock_timestamp()
  FROM older WHERE counters_differ
  ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET
    score = excluded.score, scored_by = excluded.scored_by, rank = excluded.rank, popularity = excluded.popularity,
    members = excluded.members, favorites = excluded.favorites, counter_hash = excluded.counter_hash,
    changed_at = clock_timestamp()
  -- For the row of a writer who was faster; as below.
  WHERE (c.changed_at > statement_timestamp() - make_interval(secs => $6)) IS NOT TRUE
)
INSERT INTO jikan.media AS m
  (kind, mal_id, title, title_english, title_japanese, type, source, episodes, chapters, volumes, status, ongoing,
   started_at, rating, season, year, url, image_url, synopsis, approved, raw, content_hash)
SELECT kind, mal_id, raw->>'title', raw->>'title_english', raw->>'title_japanese', raw->>'type', raw->>'source',
       jikan.whole(raw->'episodes'), jikan.whole(raw->'chapters'), jikan.whole(raw->'volumes'), raw->>'status',
       coalesce(raw->>'airing', raw->>'publishing')::boolean,
       coalesce(raw->'aired'->>'from', raw->'published'->>'from')::timestamptz,
       raw->>'rating', raw->>'season', jikan.whole(raw->'year'), raw->>'url', raw->'images'->'jpg'->>'image_url',
       raw->>'synopsis', raw->'approved' IS DISTINCT FROM 'false', raw, content_hash
FROM older WHERE document_differs
ORDER BY mal_id
ON CONFLICT (kind, mal_id) DO UPDATE SET
  title = excluded.title, title_english = excluded.title_english, title_japanese = excluded.title_japanese,
  type = excluded.type, source = excluded.source, episodes = excluded.episodes, chapters = excluded.chapters,
  volumes = excluded.volumes, status = excluded.status, ongoing = excluded.ongoing, started_at = excluded.started_at,
  rating = excluded.rating, season = excluded.season, year = excluded.year, url = excluded.url,
  image_url = excluded.image_url, synopsis = excluded.synopsis, approved = excluded.approved, raw = excluded.raw,
  content_hash = excluded.content_hash, vanished_at = NULL,
  changed_at = CASE WHEN m.content_hash = excluded.content_hash AND m.vanished_at IS NULL
                    THEN m.changed_at ELSE clock_timestamp() END
WHERE (m.changed_at > statement_timestamp() - make_interval(secs => $6)) IS NOT TRUE
