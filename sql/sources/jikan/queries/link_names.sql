-- The distinct names of links, found one after the other: most rows have the name of another one.
-- $1 kind, $2 facets text[]
SELECT DISTINCT name.name
FROM unnest($2::text[]) AS f (facet)
CROSS JOIN LATERAL (
  WITH RECURSIVE name AS (
    (SELECT l.name FROM jikan.media_link l WHERE l.kind = $1 AND l.facet = f.facet ORDER BY l.name LIMIT 1)
    UNION ALL
    SELECT (SELECT l.name FROM jikan.media_link l WHERE l.kind = $1 AND l.facet = f.facet AND l.name > name.name
            ORDER BY l.name LIMIT 1)
    FROM name WHERE name.name IS NOT NULL
  )
  SELECT name.name FROM name WHERE name.name IS NOT NULL
) AS name
ORDER BY 1
