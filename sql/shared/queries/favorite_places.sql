-- What the favorites with an id are sorted by.
-- $1 id, $2 collection or NULL
SELECT collection, added_at::text, source, kind, id FROM app.favorite
WHERE id = $1 AND ($2::text IS NULL OR collection = $2) ORDER BY collection, source, kind
