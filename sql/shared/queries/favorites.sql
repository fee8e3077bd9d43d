-- The favorites with their titles.
-- $1 collection or NULL
SELECT f.collection, f.source, f.kind, f.id, t.title, t.title_japanese, t.type, t.score, /* note */, f.added_at
FROM app.favorite f LEFT JOIN
/* titles */ ON true
WHERE $1::text IS NULL OR f.collection = $1
ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
