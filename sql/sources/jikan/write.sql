-- Stores items that differ, sorted by key so that two writers never deadlock.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents jsonb[],
-- $5 scope text[] (kind, subtype, filter)
WITH item AS (
  SELECT ($5::text[])[1] AS kind, i.*
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::jsonb[]) AS i (mal_id, content_hash, counter_hash, raw)
  ORDER BY i.mal_id
), counters AS (
  INSERT INTO jikan.media_counters AS c
    (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash)
  SELECT kind, mal_id, (raw->>'score')::numeric, jikan.whole(raw->'scored_by'), jikan.whole(raw->'rank'),
         jikan.whole(raw->'popularity'), jikan.whole(raw->'members'), jikan.whole(raw->'favorites'), counter_hash
  FROM item
  ON CONFLICT (kind, mal_id) DO UPDATE SET
    score = excluded.score, scored_by = excluded.scored_by, rank = excluded.rank, popularity = excluded.popularity,
    members = excluded.members, favorites = excluded.favorites, counter_hash = excluded.counter_hash
  WHERE c.counter_hash IS DISTINCT FROM excluded.counter_hash
), document AS (
  -- Filtered here and not by ON CONFLICT, which locks, and so writes, the rows that it leaves alone. A counter that
  -- comes or goes changes the document too, so that the views give back neither more nor fewer members than it has.
  SELECT i.* FROM item i LEFT JOIN jikan.media m USING (kind, mal_id)
  WHERE m.content_hash IS DISTINCT FROM i.content_hash OR m.vanished_at IS NOT NULL OR EXISTS (
    SELECT FROM unnest('{score,scored,scored_by,rank,popularity,members,favorites}'::text[]) AS counter (name)
    WHERE (m.raw ? counter.name) <> (i.raw ? counter.name))
  ORDER BY i.mal_id
)
INSERT INTO jikan.media AS m
  (kind, mal_id, title, title_english, title_japanese, type, source, episodes, chapters, volumes, status, ongoing,
   started_at, rating, season, year, url, image_url, synopsis, raw, content_hash)
SELECT kind, mal_id, raw->>'title', raw->>'title_english', raw->>'title_japanese', raw->>'type', raw->>'source',
       jikan.whole(raw->'episodes'), jikan.whole(raw->'chapters'), jikan.whole(raw->'volumes'), raw->>'status',
       coalesce(raw->>'airing', raw->>'publishing')::boolean,
       coalesce(raw->'aired'->>'from', raw->'published'->>'from')::timestamptz,
       raw->>'rating', raw->>'season', jikan.whole(raw->'year'), raw->>'url', raw->'images'->'jpg'->>'image_url',
       raw->>'synopsis', raw, content_hash
FROM document
ON CONFLICT (kind, mal_id) DO UPDATE SET
  title = excluded.title, title_english = excluded.title_english, title_japanese = excluded.title_japanese,
  type = excluded.type, source = excluded.source, episodes = excluded.episodes, chapters = excluded.chapters,
  volumes = excluded.volumes, status = excluded.status, ongoing = excluded.ongoing, started_at = excluded.started_at,
  rating = excluded.rating, season = excluded.season, year = excluded.year, url = excluded.url,
  image_url = excluded.image_url, synopsis = excluded.synopsis, raw = excluded.raw,
  content_hash = excluded.content_hash, vanished_at = NULL,
  changed_at = CASE WHEN m.content_hash = excluded.content_hash AND m.vanished_at IS NULL
                    THEN m.changed_at ELSE clock_timestamp() END
