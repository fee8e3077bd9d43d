-- One page of a list at a given time, with current titles. In a filtered list, entries are numbered among themselves.
-- An entry whose position is not exact is omitted.
-- $1 kind, $2 type of the upstream or NULL, $3 filter of the list, $4 filters as in ranking.sql, $5 subtype of the
-- list, $6 number of exact positions, $7 time, $8 place to continue after, $9 limit, $10 only mal_id, $11 entries to
-- skip
WITH listed AS (
  SELECT mal_id, position, unread,
         CASE WHEN position <= $6 THEN row_number() OVER (ORDER BY position, unread, mal_id) END AS place,
         rank, score, members, favorites
  FROM jikan.ranking_history
  WHERE kind = $1 AND subtype = $5 AND filter = $3
    AND valid_from <= $7::timestamptz AND (valid_to > $7::timestamptz OR valid_to IS NULL)
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND (NOT $4::jsonb ? 'min_score' OR nullif(score, 0) >= ($4->>'min_score')::numeric)
    AND ($4::jsonb - 'min_score' = '{}'
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4::jsonb - 'min_score') s))
), part AS (
  -- The limit is here, so that titles are looked up only for the returned rows.
  SELECT * FROM (SELECT *, count(place) OVER () AS total FROM listed) l
  WHERE place > $8 AND ($10::bigint IS NULL OR mal_id = $10) ORDER BY place LIMIT $9 OFFSET $11
)
SELECT CASE WHEN $4::jsonb = '{}' AND coalesce($2::text, 'all') = $5
            THEN l.position ELSE l.place END AS position,
       l.mal_id, m.title, m.title_english, m.title_japanese, m.type, l.score, l.rank,
       l.members, l.favorites, m.url, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, l.mal_id) END AS not_mirrored,
       l.unread, $7::timestamptz::text AS cursor_published_at,
       l.place AS cursor_position, l.total AS page_total
FROM part l LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = l.mal_id
ORDER BY l.place
