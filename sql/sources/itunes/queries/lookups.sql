-- The history of look-ups and searches, latest first. Look-ups by id include the item's title.
-- $1 actions text[], empty for all, $2 storefront or NULL, $3 entry to continue after or NULL, $4 limit,
-- $5 rows to skip
SELECT h.number, h.at, h.action, h.country, h.term, h.id, h.class, i.title, i.artist_name, h.results,
       h.number AS cursor_number,
       (SELECT count(*) FROM itunes.lookup_history
        WHERE (cardinality($1::text[]) = 0 OR action = ANY ($1)) AND ($2::text IS NULL OR country = $2)) AS page_total
FROM itunes.lookup_history h
LEFT JOIN itunes.item i ON i.country = h.country AND i.class = h.class AND i.id = h.id
WHERE (cardinality($1::text[]) = 0 OR h.action = ANY ($1)) AND ($2::text IS NULL OR h.country = $2)
  AND ($3::bigint IS NULL OR h.number < $3)
ORDER BY h.number DESC LIMIT $4 OFFSET $5
