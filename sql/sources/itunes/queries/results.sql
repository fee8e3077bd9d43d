-- One page of a search's last publication at or before a time. Rows are sorted by `key`, a jsonb array of sort values.
-- jsonb sorts null first. If the nulls of a value must be last, a Boolean that is true for null precedes the value.
-- $1 search, $2 time, $3 limit of all pages or NULL, $4 limit, $5 key to continue after or NULL, $6 order: relevance,
-- artist, release or price, $7 rows to skip
WITH found AS (
  SELECT h.position, h.country, h.class, h.id, i.kind, i.title, i.artist_id, i.artist_name, i.collection_id,
         i.collection_name, i.price, i.currency, i.is_sold_singly, i.release_date, i.track_time_ms, i.disc_number,
         i.track_number, i.explicitness, i.primary_genre, i.track_view_url, i.collection_view_url, i.artist_view_url,
         i.preview_url, i.artwork_url, i.vanished_at, h.unread
  FROM itunes.search_history h LEFT JOIN itunes.item i USING (country, class, id)
  WHERE h.search = $1 AND h.valid_from <= $2::timestamptz AND (h.valid_to > $2::timestamptz OR h.valid_to IS NULL)
), keyed AS (
  SELECT *, CASE $6
           WHEN 'artist' THEN jsonb_build_array(
             artist_name IS NULL, left(itunes.folded(artist_name), 200), collection_name IS NULL,
             left(itunes.folded(collection_name), 200), disc_number, track_number, position IS NULL, position,
             country, class, id)
           WHEN 'release' THEN jsonb_build_array(
             release_date IS NULL, date '2000-01-01' - release_date, position IS NULL, position, country, class, id)
           WHEN 'price' THEN jsonb_build_array(price IS NULL, price, position IS NULL, position, country, class, id)
           ELSE jsonb_build_array(position IS NULL, position, country, class, id) END AS key
  FROM found ORDER BY key LIMIT $3::bigint
)
SELECT position, country, class, id, kind, title, artist_id, artist_name, collection_id, collection_name, price,
       currency, is_sold_singly, release_date, track_time_ms, disc_number, track_number, explicitness, primary_genre,
       coalesce(track_view_url, collection_view_url, artist_view_url) AS url, vanished_at,
       preview_url, artwork_url, artist_view_url, collection_view_url, track_view_url, unread,
       $2::timestamptz::text AS cursor_published_at, key::text AS cursor_key
FROM keyed WHERE $5::jsonb IS NULL OR key > $5::jsonb ORDER BY key LIMIT $4 OFFSET $7
