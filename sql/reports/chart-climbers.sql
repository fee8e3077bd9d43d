-- title: Climbers of the charts
-- description: The movements of entries in each mirrored chart since a time, the largest change first. The chart is
--   compared with its last publication at or before that time, or with its first publication if all are later.
-- source: itunes
-- parameter: since time = 7d | Beginning of the period
-- parameter: limit integer = 20 (0..100000) | Entries per chart; 0 for all
-- column: country | Storefront.
-- column: media | Medium of the chart, e.g. music.
-- column: feed | Feed, e.g. most-played.
-- column: type | Type, e.g. songs.
-- column: name | Name of the entry.
-- column: artist | Artist of the entry.
-- column: movement | up, down, entered or left; unread if the walk of the latest chart did not read the entry.
-- column: position | Current place; null if the entry left or is unread.
-- column: previous_position | Place at the beginning of the period; null if the entry entered.
-- column: change | Places climbed.
-- column: since | Publication that the chart is compared with.
-- column: consistent | False if one of the two charts was not read completely, so that an entry that left or a position
--   can be wrong.
WITH chart AS (
  SELECT country, media, feed, type,
         coalesce(max(published_at) FILTER (WHERE published_at <= :since), min(published_at)) AS since,
         max(published_at) AS latest
  FROM itunes.chart_publication GROUP BY country, media, feed, type
)
SELECT c.country, c.media, c.feed, c.type, m.name, m.artist_name AS artist, m.movement, m.position,
       m.previous_position, m.change, c.since,
       (SELECT bool_and(p.consistent) FROM itunes.chart_publication p
        WHERE (p.country, p.media, p.feed, p.type) = (c.country, c.media, c.feed, c.type)
          AND p.published_at IN (c.since, c.latest)) AS consistent
FROM chart c
CROSS JOIN LATERAL itunes.chart_movers(c.country, c.media, c.feed, c.type, c.since) WITH ORDINALITY
  AS m (id, name, artist_name, position, previous_position, change, movement, n)
WHERE m.n <= :limit OR :limit = 0
ORDER BY c.country, c.media, c.feed, c.type, m.n
