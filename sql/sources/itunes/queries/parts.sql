-- What the statements of this folder have in common, and what the program chooses from. Orders are elements of a jsonb
-- array, which is compared as a whole and stands in a cursor. In it null comes before any number or text; where it has
-- to come last, whether it is null comes before it. What a cursor takes of a name is bounded.

/* results: */
-- What a search returned when it was last published by a time.
-- $1 search, $2 time
SELECT h.position, h.country, h.class, h.id, i.kind, i.title, i.artist_id, i.artist_name, i.collection_id,
       i.collection_name, i.price, i.currency, i.is_sold_singly, i.release_date, i.track_time_ms, i.disc_number,
       i.track_number, i.explicitness, i.primary_genre, i.track_view_url, i.collection_view_url, i.artist_view_url,
       i.preview_url, i.artwork_url, i.vanished_at
FROM itunes.search_history h LEFT JOIN itunes.item i USING (country, class, id)
WHERE h.search = $1 AND h.valid_from <= $2::timestamptz AND (h.valid_to > $2::timestamptz OR h.valid_to IS NULL)
/* items: */
-- Items of the mirror in which all words occur. The position is the best one that a search of the same term in the same
-- storefront has published; distance is 0 for a title that is the term, 1 for one that begins with it.
-- $1 term, $2 storefront, $3 classes text[], $4 kinds text[], both empty for all
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
/* columns: */
position, country, class, id, kind, title, artist_id, artist_name, collection_id, collection_name, price, currency,
       is_sold_singly, release_date, track_time_ms, disc_number, track_number, explicitness, primary_genre,
       coalesce(track_view_url, collection_view_url, artist_view_url) AS url, vanished_at,
       preview_url, artwork_url, artist_view_url, collection_view_url, track_view_url
/* place: */ position IS NULL, position, country, class, id
/* album: */
artist_name IS NULL, left(itunes.folded(artist_name), 200), collection_name IS NULL,
         left(itunes.folded(collection_name), 200), disc_number, track_number
/* order by relevance: */ /* place */
/* order by distance: */ position IS NULL, position, distance, /* album */, class, id
/* order by artist: */ /* album */, /* place */
/* order by release: */ release_date IS NULL, date '2000-01-01' - release_date, /* place */
/* order by price: */ price IS NULL, price, /* place */
