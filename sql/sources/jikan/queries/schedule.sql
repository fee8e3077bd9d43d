-- What is broadcast, by day and time: the list of the day, else those of the whole schedule on that day, else what the
-- mirror has on air on that day.
-- $1 day (monday, …, other, unknown) or NULL for all, $2 limit
WITH day AS (
  SELECT mal_id, position FROM jikan.ranking
  WHERE kind = 'anime' AND subtype = 'all' AND filter = 'schedule:' || $1::text
), whole AS (
  SELECT mal_id, position FROM jikan.ranking WHERE kind = 'anime' AND subtype = 'all' AND filter = 'schedule'
), entry AS (
  SELECT mal_id, true AS is_listed, true AS is_of_day FROM day
  UNION ALL
  SELECT mal_id, true, false FROM whole WHERE NOT EXISTS (SELECT FROM day)
  UNION ALL
  SELECT mal_id, false, false FROM jikan.media
  WHERE kind = 'anime' AND ongoing AND vanished_at IS NULL
    AND NOT EXISTS (SELECT FROM day) AND NOT EXISTS (SELECT FROM whole)
), broadcast AS (
  SELECT m.*, e.is_listed, e.is_of_day, CASE
           WHEN m.raw->'broadcast'->>'day' IS NULL THEN 'unknown'
           WHEN lower(m.raw->'broadcast'->>'day') ~ '^[a-z]+days$' THEN rtrim(lower(m.raw->'broadcast'->>'day'), 's')
           ELSE 'other' END AS day
  FROM entry e JOIN jikan.media m USING (mal_id) WHERE m.kind = 'anime'
)
SELECT b.day, b.raw->'broadcast'->>'time' AS time, b.raw->'broadcast'->>'timezone' AS timezone, b.kind, b.mal_id,
       b.title, b.title_english, b.title_japanese, b.type, b.episodes, nullif(c.score, 0) AS score, c.members, b.url,
       b.image_url, b.is_listed
FROM broadcast b LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE $1 IS NULL OR b.is_of_day OR b.day = $1
ORDER BY array_position('{monday,tuesday,wednesday,thursday,friday,saturday,sunday,other,unknown}'::text[], b.day),
         b.raw->'broadcast'->>'time' NULLS LAST, c.members DESC NULLS LAST, b.mal_id
LIMIT $2
