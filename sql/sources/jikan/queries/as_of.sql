-- Part of a list as it was at a time, with today's titles.
-- $1 to $13 as in parts.sql, $14 position to continue after, $15 limit
WITH listed AS (
/* listed */
), part AS (
  -- Limited before the titles are looked up, for the few that are shown.
  SELECT * FROM listed WHERE position > $14 ORDER BY position LIMIT $15
)
SELECT l.position, l.mal_id, m.title, m.title_english, m.title_japanese, m.type, l.score, l.rank,
       l.members, l.favorites, m.url, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, l.mal_id) END AS not_mirrored,
       $13::timestamptz::text AS cursor_published_at,
       l.position AS cursor_position
FROM part l LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = l.mal_id
ORDER BY l.position
