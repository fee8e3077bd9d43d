-- Stores new and changed chart entries, unless the stored row is newer. Rows are written in the order of keys, so that
-- writers never deadlock. If $7 is true, stored entries are derived again: only derived columns change.
-- Returns for each written entry whether it is new. has_counters is NULL, because entries have no counters.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none), $4 documents text[], $5 scope text[]
-- (country, media, feed, type), $6 request times bigint[], $7 whether to derive stored rows again
WITH item AS MATERIALIZED (
  -- Casting each document alone is twice as fast as casting the array. Rows that need no write are filtered out,
  -- because ON CONFLICT would lock them.
  SELECT ($5::text[])[1] AS country, ($5::text[])[4] AS type, i.id, i.content_hash, i.raw::jsonb AS raw,
         sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (id, content_hash, counter_hash, raw, requested)
  LEFT JOIN itunes.chart_item c ON c.country = ($5::text[])[1] AND c.type = ($5::text[])[4] AND c.id = i.id
  WHERE $7 OR c.content_hash IS DISTINCT FROM i.content_hash
    AND NOT sync.is_newer(c.requested_at, sync.request_time(i.requested))
), derived AS (
/* columns */
), written AS (
  INSERT INTO itunes.chart_item AS c (
    country, type, id, name, artist_id, artist_name, kind, url, artist_url, artwork_url, release_date,
    content_advisory_rating, genres, raw, content_hash, requested_at)
  SELECT country, type, id, name, artist_id, artist_name, kind, url, artist_url, artwork_url, release_date,
         content_advisory_rating, genres, raw, content_hash, requested_at
  FROM derived
  ORDER BY id
  ON CONFLICT (country, type, id) DO UPDATE SET
    name = excluded.name, artist_id = excluded.artist_id, artist_name = excluded.artist_name, kind = excluded.kind,
    url = excluded.url, artist_url = excluded.artist_url, artwork_url = excluded.artwork_url,
    release_date = excluded.release_date, content_advisory_rating = excluded.content_advisory_rating,
    genres = excluded.genres, raw = excluded.raw, content_hash = excluded.content_hash,
    requested_at = CASE WHEN $7 THEN c.requested_at ELSE excluded.requested_at END,
    -- Equal documents have different hashes if the mapping's version differs, so the documents are compared.
    changed_at = CASE WHEN $7 OR c.raw = excluded.raw THEN c.changed_at ELSE sync.write_time(excluded.id) END
  -- Another writer may have stored a newer row after the filter above.
  WHERE $7 OR NOT sync.is_newer(c.requested_at, excluded.requested_at)
  RETURNING c.id AS key, c.xmax = 0 AS is_new, NULL::boolean AS has_counters
)
SELECT key, is_new, has_counters FROM written
