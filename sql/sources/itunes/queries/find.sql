-- One page of the items whose names contain all words. `position` is the best position of the item in the published
-- searches for the same term and storefront. results.sql explains `key`.
-- $1 term, $2 storefront, $3 classes text[], $4 kinds text[], both empty for all, $5 maximum number of items or NULL,
-- $6 limit, $7 key to continue after or NULL, $8 order: distance, artist, release or price, $9 rows to skip
WITH found AS (
  SELECT i.*, p.position,
         CASE itunes.folded(i.title) WHEN itunes.folded($1) THEN 0
         ELSE CASE WHEN starts_with(itunes.folded(i.title), itunes.folded($1)) THEN 1 ELSE 2 END END AS distance
  FROM itunes.found($1, $2) i LEFT JOIN (
    SELECT r.class, r.id, min(r.position) AS position
    FROM itunes.search s JOIN itunes.search_result r ON r.search = s.name AND r.country = s.country
    WHERE s.country = $2 AND itunes.folded(s.term) = itunes.folded($1)
    GROUP BY r.class, r.id
  ) p USING (class, id)
  WHERE (cardinality($3::text[]) = 0 OR i.class = ANY ($3)) AND (cardinality($4::text[]) = 0 OR i.kind = ANY ($4))
), keyed AS (
  SELECT *, CASE $8
           WHEN 'artist' THEN jsonb_build_array(
             artist_name IS NULL, left(itunes.folded(artist_name), 200), collection_name IS NULL,
             left(itunes.folded(collection_name), 200), disc_number, track_number, position IS NULL, position,
             country, class, id)
           WHEN 'release' THEN jsonb_build_array(
             release_date IS NULL, date '2000-01-01' - release_date, position IS NULL, position, country, class, id)
           WHEN 'price' THEN jsonb_build_array(price IS NULL, price, position IS NULL, position, country, class, id)
           ELSE jsonb_build_array(
             position IS NULL, position, distance, artist_name IS NULL, left(itunes.folded(artist_name), 200),
             collection_name IS NULL, left(itunes.folded(collection_name), 200), disc_number, track_number, class,
             id) END AS key
  FROM found ORDER BY key LIMIT $5::bigint
)
SELECT position, country, class, id, kind, title, artist_id, artist_name, collection_id, collection_name, price,
       currency, is_sold_singly, release_date, track_time_ms, disc_number, track_number, explicitness, primary_genre,
       coalesce(track_view_url, collection_view_url, artist_view_url) AS url, vanished_at,
       preview_url, artwork_url, artist_view_url, collection_view_url, track_view_url, key::text AS cursor_key
FROM keyed WHERE $7::jsonb IS NULL OR key > $7::jsonb ORDER BY key LIMIT $6 OFFSET $9
