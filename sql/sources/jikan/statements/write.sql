-- Stores documents with their counters and derived rows, unless the stored row is newer. Rows are written in the order
-- of keys, so that writers never deadlock. If $7 is true, the statement only derives stored documents again.
-- Returns for each written item whether it is new, and whether its counters were written (NULL if they did not differ).
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents text[], $5 scope text[] (kind,
-- …), $6 request times bigint[], $7 whether to derive stored rows again
WITH item AS MATERIALIZED (
  -- Casting each document alone is twice as fast as casting the array. Rows that need no write are filtered out,
  -- because ON CONFLICT would lock them.
  SELECT ($5::text[])[1] AS kind, i.mal_id, i.content_hash, i.counter_hash, i.raw::jsonb AS raw,
         NOT $7 AND c.counter_hash IS DISTINCT FROM i.counter_hash AS counters_differ,
         sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (mal_id, content_hash, counter_hash, raw, requested)
  -- OFFSET 0 forces one look-up for each item.
  LEFT JOIN LATERAL (
    SELECT requested_at FROM jikan.media WHERE kind = ($5::text[])[1] AND mal_id = i.mal_id OFFSET 0
  ) m ON true
  LEFT JOIN LATERAL (
    SELECT counter_hash, requested_at FROM jikan.media_counters
    WHERE kind = ($5::text[])[1] AND mal_id = i.mal_id OFFSET 0
  ) c ON true
  WHERE $7 OR NOT sync.is_newer(greatest(m.requested_at, c.requested_at), sync.request_time(i.requested))
), derived AS MATERIALIZED (
/* columns */
), documents AS (
  INSERT INTO jikan.media AS m
    (kind, mal_id, title, title_english, title_japanese, type, source, episodes, chapters, volumes, status, ongoing,
     started_at, rating, season, year, url, image_url, synopsis, approved, raw, content_hash, requested_at)
  SELECT kind, mal_id, title, title_english, title_japanese, type, source, episodes, chapters, volumes, status, ongoing,
         started_at, rating, season, year, url, image_url, synopsis, approved, raw, content_hash, requested_at
  FROM derived
  ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET
    title = excluded.title, title_english = excluded.title_english, title_japanese = excluded.title_japanese,
    type = excluded.type, source = excluded.source, episodes = excluded.episodes, chapters = excluded.chapters,
    volumes = excluded.volumes, status = excluded.status, ongoing = excluded.ongoing, started_at = excluded.started_at,
    rating = excluded.rating, season = excluded.season, year = excluded.year, url = excluded.url,
    image_url = excluded.image_url, synopsis = excluded.synopsis, approved = excluded.approved,
    -- A document that is derived again was read with the stored counters, which can be wrong.
    raw = CASE WHEN $7 THEN m.raw ELSE excluded.raw END, content_hash = excluded.content_hash,
    requested_at = CASE WHEN $7 THEN m.requested_at ELSE excluded.requested_at END,
    vanished_at = CASE WHEN $7 THEN m.vanished_at END,
    -- Documents are compared instead of hashes, because another mapping version or number format changes the hash too.
    changed_at = CASE
      WHEN $7 OR m.vanished_at IS NULL
        -- A manual edit can have stored a value that is not an object.
        AND CASE WHEN jsonb_typeof(m.raw) = 'object'
                 THEN m.raw - '{score,scored,scored_by,rank,popularity,members,favorites}'::text[]
                      = excluded.raw - '{score,scored,scored_by,rank,popularity,members,favorites}'::text[] END
      THEN m.changed_at ELSE sync.write_time(excluded.mal_id) END
  -- Another writer may have stored a newer row after the filter above.
  WHERE $7 OR NOT sync.is_newer(m.requested_at, excluded.requested_at)
  RETURNING m.mal_id, m.xmax = 0 AS is_new
), counters AS (
  INSERT INTO jikan.media_counters AS c
    (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, requested_at, changed_at)
  SELECT kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, requested_at,
         clock_timestamp()
  -- If a document was skipped because a newer one is stored, its counters are skipped too.
  FROM derived JOIN documents USING (mal_id) WHERE counters_differ
  ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET
    score = excluded.score, scored_by = excluded.scored_by, rank = excluded.rank, popularity = excluded.popularity,
    members = excluded.members, favorites = excluded.favorites, counter_hash = excluded.counter_hash,
    requested_at = excluded.requested_at, changed_at = sync.write_time(excluded.mal_id)
  WHERE NOT sync.is_newer(c.requested_at, excluded.requested_at)
  RETURNING c.mal_id
)
-- Because of the aggregate, all documents are written before jikan.derive runs.
SELECT mal_id AS key, is_new, CASE WHEN counters_differ THEN c.mal_id IS NOT NULL END AS has_counters
FROM documents JOIN derived USING (mal_id) LEFT JOIN counters c USING (mal_id), (
  SELECT jikan.derive(($5::text[])[1], array_agg(mal_id), array_agg(raw)) IS NULL
  FROM derived WHERE mal_id IN (SELECT mal_id FROM documents) HAVING count(*) > 0
) AS derivation
