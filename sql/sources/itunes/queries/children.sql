-- The ids of the live items that belong to the given artists and collections, ordered by parent and album.
-- $1 storefront, $2 parents bigint[], $3 classes text[], $4 kinds text[], both empty for all, $5 limit
SELECT i.id
FROM itunes.item i CROSS JOIN LATERAL (
  SELECT min(place) AS place FROM unnest($2::bigint[]) WITH ORDINALITY AS w (id, place)
  WHERE w.id IN (i.artist_id, i.collection_id)
) parent
WHERE i.country = $1 AND (i.artist_id = ANY ($2::bigint[]) OR i.collection_id = ANY ($2::bigint[]))
  AND i.id <> ALL ($2::bigint[]) AND i.vanished_at IS NULL
  AND (cardinality($3::text[]) = 0 OR i.class = ANY ($3)) AND (cardinality($4::text[]) = 0 OR i.kind = ANY ($4))
ORDER BY parent.place, itunes.folded(i.collection_name) NULLS FIRST, i.collection_id, i.disc_number NULLS FIRST,
         i.track_number NULLS FIRST, itunes.folded(i.title), i.id
LIMIT $5
