-- The favorites as they are stored, their times with microseconds.
-- $1 collection or NULL
SELECT collection, source, kind, id, note,
       to_char(added_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS added_at
FROM app.favorite WHERE $1::text IS NULL OR collection = $1
ORDER BY collection, favorite.added_at, source, kind, id
