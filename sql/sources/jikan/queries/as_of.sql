-- One page of a list at a given time, with current titles. In a slice of a list, entries are numbered within the slice.
-- An entry whose position is not exact is omitted.
-- $1 kind, $2 type of the upstream or NULL, $3 filter of the list, $4 to $10 a slice as in ranking.sql, $11 subtype of
-- the list, $12 number of exact positions, $13 time, $14 place to continue after, $15 limit, $16 only mal_id,
-- $17 entries to skip
WITH listed AS (
  SELECT mal_id, position, unread,
         CASE WHEN position <= $12 THEN row_number() OVER (ORDER BY position, unread, mal_id) END AS place,
         rank, score, members, favorites
  FROM jikan.ranking_history
  WHERE kind = $1 AND subtype = $11 AND filter = $3
    AND valid_from <= $13::timestamptz AND (valid_to > $13::timestamptz OR valid_to IS NULL)
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND ($10::numeric IS NULL OR nullif(score, 0) >= $10)
    AND (cardinality($4::text[]) + cardinality($5::text[]) + cardinality($6::text[]) + cardinality($7::integer[])
         + cardinality($8::text[]) + cardinality($9::text[]) = 0
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4, $5, $6, $7::integer[], $8, $9) s))
), part AS (
  -- The limit is here, so that titles are looked up only for the returned rows.
  SELECT * FROM (SELECT *, count(place) OVER () AS total FROM listed) l
  WHERE place > $14 AND ($16::bigint IS NULL OR mal_id = $16) ORDER BY place LIMIT $15 OFFSET $17
)
SELECT CASE WHEN $10::numeric IS NULL AND coalesce($2::text, 'all') = $11
                 AND cardinality($4::text[]) + cardinality($5::text[]) + cardinality($6::text[])
                     + cardinality($7::integer[]) + cardinality($8::text[]) + cardinality($9::text[]) = 0
            THEN l.position ELSE l.place END AS position, l.mal_id, m.title, m.title_english, m.title_japanese, m.type, l.score, l.rank,
       l.members, l.favorites, m.url, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, l.mal_id) END AS not_mirrored,
       l.unread, $13::timestamptz::text AS cursor_published_at,
       l.place AS cursor_position, l.total AS page_total
FROM part l LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = l.mal_id
ORDER BY l.place
