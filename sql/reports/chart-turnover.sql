-- title: Turnover of the charts
-- description: Numbers of entries that entered and left each mirrored chart, for each publication since a time,
--   latest first. A chart's first stored publication has no such numbers.
-- source: itunes
-- parameter: since time = 30d | Beginning of the period
-- parameter: country text = null | One storefront only, e.g. us
-- parameter: type text = null | Charts of one type only, e.g. songs
-- narrow: media, feed, moved, entries
-- column: country | Storefront.
-- column: media | Medium of the chart, e.g. music.
-- column: feed | Feed, e.g. most-played.
-- column: type | Type, e.g. songs.
-- column: published_at | Time of the publication.
-- column: entries | Entries of the chart in this publication.
-- column: entered | Entries that were not in the previous publication; null for the first publication.
-- column: departed | Entries of the previous publication that are not in this publication.
-- column: moved | Entries of both publications that have different places.
-- column: turnover_percent | Share of the entries that were not in the previous publication.
WITH publication AS (
  SELECT country, media, feed, type, published_at, entries,
         lag(published_at) OVER (PARTITION BY country, media, feed, type ORDER BY published_at) AS previous_at
  FROM itunes.chart_publication
  WHERE (:country IS NULL OR country = sync.lower(:country)) AND (:type IS NULL OR type = :type)
), begun AS (
  SELECT h.country, h.media, h.feed, h.type, h.valid_from AS at, count(*) AS began,
         count(e.id) AS stayed, count(*) FILTER (WHERE e.position <> h.position) AS moved
  FROM itunes.chart_history h
  LEFT JOIN itunes.chart_history e
    ON (e.country, e.media, e.feed, e.type, e.id, e.valid_to) = (h.country, h.media, h.feed, h.type, h.id, h.valid_from)
  WHERE h.valid_from >= :since
  GROUP BY h.country, h.media, h.feed, h.type, h.valid_from
), ended AS (
  SELECT country, media, feed, type, valid_to AS at, count(*) AS ended
  FROM itunes.chart_history WHERE valid_to >= :since GROUP BY country, media, feed, type, valid_to
)
SELECT p.country, p.media, p.feed, p.type, p.published_at, p.entries,
       CASE WHEN p.previous_at IS NOT NULL THEN coalesce(b.began - b.stayed, 0) END AS entered,
       CASE WHEN p.previous_at IS NOT NULL THEN coalesce(e.ended, 0) - coalesce(b.stayed, 0) END AS departed,
       CASE WHEN p.previous_at IS NOT NULL THEN coalesce(b.moved, 0) END AS moved,
       CASE WHEN p.previous_at IS NOT NULL
            THEN round(100.0 * coalesce(b.began - b.stayed, 0) / nullif(p.entries, 0), 1) END AS turnover_percent
FROM publication p
LEFT JOIN begun b
  ON (b.country, b.media, b.feed, b.type, b.at) = (p.country, p.media, p.feed, p.type, p.published_at)
LEFT JOIN ended e
  ON (e.country, e.media, e.feed, e.type, e.at) = (p.country, p.media, p.feed, p.type, p.published_at)
WHERE p.published_at >= :since
ORDER BY p.country, p.media, p.feed, p.type, p.published_at DESC
