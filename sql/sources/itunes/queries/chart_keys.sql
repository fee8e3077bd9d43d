-- The published charts of which some parts of the key are known.
-- $1 storefront, $2 medium, $3 feed, $4 type; each may be NULL
SELECT DISTINCT country, media, feed, type FROM itunes.chart_publication
WHERE ($1::text IS NULL OR country = $1) AND ($2::text IS NULL OR media = $2)
  AND ($3::text IS NULL OR feed = $3) AND ($4::text IS NULL OR type = $4)
ORDER BY country, media, feed, type
