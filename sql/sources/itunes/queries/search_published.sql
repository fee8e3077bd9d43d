-- The last publication of a search at or before a time, whether it is the latest, and the seconds since the search was
-- last complete.
-- $1 search, $2 time
SELECT p.published_at::text, p.published_at = p.latest,
       extract(epoch FROM clock_timestamp() - greatest(p.published_at, f.whole_at))::bigint
FROM (
  SELECT max(published_at) FILTER (WHERE published_at <= $2::timestamptz) AS published_at, max(published_at) AS latest
  FROM itunes.search_publication WHERE search = $1
) p LEFT JOIN sync.stream_freshness f ON f.source = 'itunes' AND f.stream = 'search:' || $1
