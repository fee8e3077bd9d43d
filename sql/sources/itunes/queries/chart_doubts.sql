-- Whether the publications of a chart were consistent, with the certificates of their runs.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 times of publications text[]
SELECT p.published_at::text, p.consistent, r.certificate::text
FROM itunes.chart_publication p LEFT JOIN sync.run r ON r.id = p.run_id
WHERE p.country = $1 AND p.media = $2 AND p.feed = $3 AND p.type = $4
  AND p.published_at = ANY ($5::text[]::timestamptz[])
ORDER BY p.published_at
