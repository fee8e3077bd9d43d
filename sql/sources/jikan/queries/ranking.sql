-- Part of a ranking.
-- $1 to $12 as in parts.sql, $13 key and $14 mal_id to continue after or NULL, $15 limit
WITH
/* ordered */, part AS (
  -- Limited before the titles are looked up, for the few that are shown.
  SELECT * FROM (SELECT mal_id, key, row_number() OVER (ORDER BY key, mal_id) AS place FROM ordered) placed
  WHERE $13::bigint IS NULL OR (key, mal_id) > ($13, $14::bigint)
  ORDER BY key, mal_id LIMIT $15
)
SELECT p.place AS position, p.mal_id, m.title, m.title_english, m.title_japanese, m.type,
       nullif(c.score, 0) AS score, c.rank, c.members, c.favorites, m.url, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, p.mal_id) END AS not_mirrored,
       (extract(epoch FROM moment.taken_at) * 1000000)::bigint AS cursor_taken_at,
       (extract(epoch FROM moment.began_at) * 1000000)::bigint AS cursor_began_at,
       p.key AS cursor_key, p.mal_id AS cursor_mal_id
FROM part p CROSS JOIN moment
LEFT JOIN (SELECT * FROM jikan.media WHERE kind = $1) m USING (mal_id)
LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
ORDER BY p.place
