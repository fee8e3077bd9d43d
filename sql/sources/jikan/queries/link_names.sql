-- $1 kind, $2 facets text[]
SELECT DISTINCT name COLLATE "default"
FROM (SELECT unnest(facets) AS facet, unnest(names) AS name FROM jikan.media_links WHERE kind = $1) l
WHERE facet = ANY ($2::text[])
ORDER BY 1
