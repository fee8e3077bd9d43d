-- The last publication at or before a time: of the type's own list if there is one, else of the list of all types.
-- $1 kind, $2 subtype, $3 filter, $4 time
SELECT subtype, published_at::text, entries, positions FROM jikan.ranking_publication
WHERE kind = $1 AND filter = $3 AND subtype IN ($2, 'all') AND published_at <= $4::timestamptz
ORDER BY subtype = $2 DESC, published_at DESC LIMIT 1
