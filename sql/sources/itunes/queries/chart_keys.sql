-- The charts that the mirror has published.
SELECT DISTINCT country, media, feed, type FROM itunes.chart_publication ORDER BY country, media, feed, type
