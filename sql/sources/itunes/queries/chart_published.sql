-- The last publication of a chart at or before a time, its first publication, and its latest one.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 time
SELECT max(published_at) FILTER (WHERE published_at <= $5::timestamptz)::text, min(published_at)::text,
       max(published_at)::text
FROM itunes.chart_publication WHERE country = $1 AND media = $2 AND feed = $3 AND type = $4
