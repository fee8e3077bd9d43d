-- The charts that an entry is or was in, with its position now. Charts that it is in come first.
-- $1 id, $2 types text[]
SELECT h.country, h.media, h.feed, h.type, CASE WHEN NOT e.unread THEN e.position END AS position
FROM (
  SELECT DISTINCT country, media, feed, type FROM itunes.chart_history WHERE id = $1 AND type = ANY ($2::text[])
) h
LEFT JOIN itunes.chart_entry e
  ON e.country = h.country AND e.media = h.media AND e.feed = h.feed AND e.type = h.type AND e.id = $1
ORDER BY e.position IS NULL, e.position, h.country, h.media, h.feed, h.type
