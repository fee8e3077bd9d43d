-- The charts that have been published, with when they last changed.
SELECT DISTINCT ON (country, media, feed, type) country, media, feed, type, entries, published_at, consistent
FROM itunes.chart_publication ORDER BY country, media, feed, type, published_at DESC
