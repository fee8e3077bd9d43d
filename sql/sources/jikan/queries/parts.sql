-- What the statements of this folder have in common, and what the program chooses from.

/* ordered: */
-- $1 kind, $2 type of the upstream or NULL
WITH chosen AS (
/* entries */
), ordered AS (
  SELECT row_number() OVER (ORDER BY /* order */, mal_id) AS place, mal_id
  FROM chosen LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
)
/* entries of the list: */
-- The upstream's own list of a type if it was mirrored, else the rows of that type in the whole list.
SELECT mal_id, position FROM jikan.ranking
WHERE kind = $1 AND subtype = $2 AND filter = 'none'
UNION ALL
SELECT mal_id, position FROM jikan.ranking r LEFT JOIN jikan.media m USING (kind, mal_id)
WHERE kind = $1 AND r.subtype = 'all' AND filter = 'none'
  AND ($2::text IS NULL OR m.type = jikan.type_label($2))
  AND NOT EXISTS (SELECT FROM jikan.ranking WHERE kind = $1 AND subtype = $2 AND filter = 'none')
/* entries of the mirror: */
SELECT mal_id FROM jikan.media m
WHERE kind = $1 AND vanished_at IS NULL AND ($2::text IS NULL OR m.type = jikan.type_label($2))
  AND /* condition */
/* condition of all: */ true
/* condition of airing: */ ongoing
/* condition of upcoming: */ status IN ('Not yet aired', 'Not yet published')
/* order by position: */ position
/* order by rank: */ nullif(rank, 0) NULLS LAST
/* order by members: */ members DESC NULLS LAST
/* order by favorites: */ favorites DESC NULLS LAST

/* listed: */
-- $1 kind, $2 type of the upstream or NULL, $3 subtype of the list, $4 positions that are exact, $5 time.
-- The position is null beyond those, and counts the entries of the type alone if one is given.
SELECT h.mal_id, CASE WHEN h.position <= $4 THEN row_number() OVER (ORDER BY h.position) END AS position,
       h.rank, h.score, h.members, h.favorites
FROM jikan.ranking_history h LEFT JOIN jikan.media m ON m.kind = h.kind AND m.mal_id = h.mal_id
WHERE h.kind = $1 AND h.subtype = $3 AND h.filter = 'none'
  AND h.valid_from <= $5::timestamptz AND (h.valid_to > $5::timestamptz OR h.valid_to IS NULL)
  AND ($2::text IS NULL OR m.type = jikan.type_label($2))
