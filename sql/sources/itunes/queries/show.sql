-- All mirrored data of the items with these ids, including vanished items, in the order of the ids.
-- $1 ids bigint[], $2 storefront or NULL, $3 class or NULL
SELECT i.country, i.class, i.id, i.kind, i.title, i.artist_id, i.artist_name, i.collection_id, i.collection_name,
       i.bundle_id, i.price, i.formatted_price, i.currency, i.is_sold_singly, i.track_price, i.collection_price,
       i.track_rental_price, i.release_date, i.track_time_ms, i.disc_number, i.disc_count, i.track_number,
       i.track_count, i.explicitness, i.content_advisory_rating, i.primary_genre, to_json(i.genres) AS genres,
       i.file_size_bytes, i.average_user_rating, i.user_rating_count, i.version, i.preview_url, i.artwork_url,
       i.artist_view_url, i.collection_view_url, i.track_view_url, i.feed_url, i.first_seen_at, i.changed_at,
       i.vanished_at
FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN itunes.item i USING (id)
WHERE ($2::text IS NULL OR i.country = $2) AND ($3::text IS NULL OR i.class = $3)
ORDER BY wanted.place, i.country, itunes.key(i.class, i.id)
