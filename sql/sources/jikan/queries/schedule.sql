-- The broadcasts by day and time. A day without its own list uses the whole schedule, or else all anime on air.
-- $1 day (monday, …, other, unknown) or NULL for all, $2 limit
WITH listed AS (
  SELECT substr(filter, length('schedule:') + 1) AS day, mal_id FROM jikan.ranking
  WHERE kind = 'anime' AND subtype = 'all' AND starts_with(filter, 'schedule:')
), whole AS (
  SELECT mal_id FROM jikan.ranking WHERE kind = 'anime' AND subtype = 'all' AND filter = 'schedule'
), known AS (
  SELECT mal_id, (SELECT count(*) > 0 FROM whole) AS is_listed, CASE
           WHEN raw->'broadcast'->>'day' IS NULL THEN 'unknown'
           WHEN sync.lower(raw->'broadcast'->>'day') ~ '^[a-z]+days$' THEN rtrim(sync.lower(raw->'broadcast'->>'day'), 's')
           ELSE 'other' END AS day
  FROM jikan.media
  WHERE kind = 'anime' AND CASE WHEN (SELECT count(*) > 0 FROM whole) THEN mal_id IN (SELECT mal_id FROM whole)
                           ELSE ongoing AND vanished_at IS NULL END
), entry AS (
  SELECT day, mal_id, true AS is_listed FROM listed
  UNION ALL
  SELECT day, mal_id, is_listed FROM known WHERE day NOT IN (SELECT day FROM listed)
  UNION ALL
  SELECT 'unknown', mal_id, true FROM whole
  WHERE mal_id NOT IN (SELECT mal_id FROM listed)
    AND NOT EXISTS (SELECT FROM jikan.media m WHERE m.kind = 'anime' AND m.mal_id = whole.mal_id)
)
SELECT e.day, m.raw->'broadcast'->>'time' AS time, m.raw->'broadcast'->>'timezone' AS timezone, 'anime' AS kind, e.mal_id,
       m.title, m.title_english, m.title_japanese, m.type, m.episodes, nullif(c.score, 0) AS score, c.members, m.url,
       m.image_url, e.is_listed, CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored('anime', e.mal_id) END AS not_mirrored,
       count(*) OVER () AS page_total
FROM entry e
LEFT JOIN jikan.media m ON m.kind = 'anime' AND m.mal_id = e.mal_id
LEFT JOIN jikan.media_counters c ON c.kind = 'anime' AND c.mal_id = e.mal_id
WHERE $1::text IS NULL OR e.day = $1
ORDER BY array_position('{monday,tuesday,wednesday,thursday,friday,saturday,sunday,other,unknown}'::text[], e.day),
         m.raw->'broadcast'->>'time' NULLS LAST, c.members DESC NULLS LAST, e.mal_id
LIMIT $2
