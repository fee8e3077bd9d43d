-- Stores new and changed records, unless the stored row is newer. Rows are written in the order of keys, so that
-- writers never deadlock. If $7 is true, stored records are derived again: only derived columns change.
-- Returns for each written item whether it is new. has_counters is NULL, because records have no counters.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none), $4 documents text[], $5 scope text[]
-- (country, …), $6 request times bigint[], $7 whether to derive stored rows again
WITH item AS MATERIALIZED (
  -- Casting each document alone is twice as fast as casting the array. Rows that need no write are filtered out,
  -- because ON CONFLICT would lock them.
  SELECT i.key, ($5::text[])[1] AS country, itunes.key_class(i.key) AS class, itunes.key_id(i.key) AS id,
         i.content_hash, i.raw::jsonb AS raw, sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (key, content_hash, counter_hash, raw, requested)
  LEFT JOIN LATERAL (
    SELECT content_hash, requested_at, vanished_at FROM itunes.item
    WHERE country = ($5::text[])[1] AND class = itunes.key_class(i.key) AND id = itunes.key_id(i.key) OFFSET 0
  ) s ON true
  WHERE $7 OR (s.content_hash IS DISTINCT FROM i.content_hash OR s.vanished_at IS NOT NULL)
    AND NOT sync.is_newer(s.requested_at, sync.request_time(i.requested))
), derived AS (
/* columns */
), written AS (
  INSERT INTO itunes.item AS s (
    country, class, id, wrapper_type, kind, collection_type, artist_type, title, artist_id, artist_name, collection_id,
    collection_name, track_id, track_name, bundle_id, price, formatted_price, currency, is_sold_singly, track_price,
    collection_price, track_rental_price, track_hd_price, track_hd_rental_price, collection_hd_price, release_date,
    released_at, track_time_ms, disc_number, disc_count, track_number, track_count, explicitness,
    content_advisory_rating, primary_genre, genres, file_size_bytes, average_user_rating, user_rating_count, version,
    preview_url, artwork_url, artist_view_url, collection_view_url, track_view_url, feed_url, search_text, raw,
    content_hash, requested_at)
  SELECT
    country, class, id, wrapper_type, kind, collection_type, artist_type, title, artist_id, artist_name, collection_id,
    collection_name, track_id, track_name, bundle_id, price, formatted_price, currency, is_sold_singly, track_price,
    collection_price, track_rental_price, track_hd_price, track_hd_rental_price, collection_hd_price, release_date,
    released_at, track_time_ms, disc_number, disc_count, track_number, track_count, explicitness,
    content_advisory_rating, primary_genre, genres, file_size_bytes, average_user_rating, user_rating_count, version,
    preview_url, artwork_url, artist_view_url, collection_view_url, track_view_url, feed_url, search_text, raw,
    content_hash, requested_at
  FROM derived
  ORDER BY key
  ON CONFLICT (country, class, id) DO UPDATE SET
    wrapper_type = excluded.wrapper_type, kind = excluded.kind, collection_type = excluded.collection_type,
    artist_type = excluded.artist_type, title = excluded.title, artist_id = excluded.artist_id,
    artist_name = excluded.artist_name, collection_id = excluded.collection_id,
    collection_name = excluded.collection_name, track_id = excluded.track_id, track_name = excluded.track_name,
    bundle_id = excluded.bundle_id, price = excluded.price, formatted_price = excluded.formatted_price,
    currency = excluded.currency, is_sold_singly = excluded.is_sold_singly, track_price = excluded.track_price,
    collection_price = excluded.collection_price, track_rental_price = excluded.track_rental_price,
    track_hd_price = excluded.track_hd_price, track_hd_rental_price = excluded.track_hd_rental_price,
    collection_hd_price = excluded.collection_hd_price, release_date = excluded.release_date,
    released_at = excluded.released_at, track_time_ms = excluded.track_time_ms, disc_number = excluded.disc_number,
    disc_count = excluded.disc_count, track_number = excluded.track_number, track_count = excluded.track_count,
    explicitness = excluded.explicitness, content_advisory_rating = excluded.content_advisory_rating,
    primary_genre = excluded.primary_genre, genres = excluded.genres, file_size_bytes = excluded.file_size_bytes,
    average_user_rating = excluded.average_user_rating, user_rating_count = excluded.user_rating_count,
    version = excluded.version, preview_url = excluded.preview_url, artwork_url = excluded.artwork_url,
    artist_view_url = excluded.artist_view_url, collection_view_url = excluded.collection_view_url,
    track_view_url = excluded.track_view_url, feed_url = excluded.feed_url, search_text = excluded.search_text,
    raw = excluded.raw, content_hash = excluded.content_hash,
    requested_at = CASE WHEN $7 THEN s.requested_at ELSE excluded.requested_at END,
    vanished_at = CASE WHEN $7 THEN s.vanished_at END,
    -- Equal documents have different hashes if the mapping's version differs, so the documents are compared.
    changed_at = CASE WHEN $7 OR s.vanished_at IS NULL AND s.raw = excluded.raw
                      THEN s.changed_at ELSE sync.write_time(excluded.id) END
  -- Another writer may have stored a newer row after the filter above.
  WHERE $7 OR NOT sync.is_newer(s.requested_at, excluded.requested_at)
  RETURNING itunes.key(s.class, s.id) AS key, s.xmax = 0 AS is_new, NULL::boolean AS has_counters
)
SELECT key, is_new, has_counters FROM written
