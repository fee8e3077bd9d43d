-- The words that are names of links. Each word is compared as written and with capital first letters.
-- $1 kind, $2 facets text[], $3 words text[]
SELECT DISTINCT word.name
FROM (SELECT unnest($3::text[]) UNION ALL SELECT initcap(unnest($3::text[]) COLLATE "C")) AS word (name)
CROSS JOIN LATERAL (
  -- MATERIALIZED hides the LIMIT from the planner, which would otherwise read the table instead of the index.
  WITH m AS MATERIALIZED (
    SELECT facets, names FROM jikan.media_links WHERE kind = $1 AND names @> ARRAY[word.name]
  )
  SELECT FROM m CROSS JOIN LATERAL unnest(m.facets, m.names) AS l (facet, name)
  WHERE l.facet = ANY ($2::text[]) AND l.name = word.name
  LIMIT 1
) AS found
ORDER BY 1
