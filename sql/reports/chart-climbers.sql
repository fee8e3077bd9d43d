-- Entries that climbed, fell, entered or left in every mirrored chart in the last seven days, the largest change first.
WITH chart AS (
  -- The publication of seven days ago, otherwise the first one.
  SELECT country, media, feed, type,
         coalesce(max(published_at) FILTER (WHERE published_at <= now() - interval '7 days'),
                  min(published_at)) AS since
  FROM itunes.chart_publication GROUP BY country, media, feed, type
)
SELECT c.country, c.media, c.feed, c.type, m.name, m.artist_name AS artist, m.movement, m.position,
       m.previous_position, m.change, c.since
FROM chart c
CROSS JOIN LATERAL itunes.chart_movers(c.country, c.media, c.feed, c.type, c.since) WITH ORDINALITY
  AS m (id, name, artist_name, position, previous_position, change, movement, n)
WHERE m.n <= 20
ORDER BY c.country, c.media, c.feed, c.type, m.n
