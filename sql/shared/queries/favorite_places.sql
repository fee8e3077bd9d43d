-- The sort values of the favorites with a given id. A listing continues after these values.
-- $1 collection or NULL, $2 id
SELECT collection, added_at::text, source, kind, id FROM app.favorite f
WHERE id = $2 AND ($1::text IS NULL OR normalize(f.collection) = normalize($1))
ORDER BY collection, source, kind
