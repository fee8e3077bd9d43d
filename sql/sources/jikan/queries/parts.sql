-- What the statements of this folder have in common, and what the program chooses from.

/* entries of the list: */
-- The upstream's own list of a type if it was mirrored, else the rows of that type in the whole list.
SELECT mal_id, position FROM jikan.ranking
WHERE kind = $1 AND subtype = $2 AND filter = 'none'
UNION ALL
SELECT mal_id, position FROM jikan.ranking
WHERE kind = $1 AND subtype = 'all' AND filter = 'none' AND /* of the type */
  AND NOT EXISTS (SELECT FROM jikan.ranking WHERE kind = $1 AND subtype = $2 AND filter = 'none')
/* of the type: */
-- Without a type, media are not read.
($2::text IS NULL OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
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
SELECT mal_id, CASE WHEN position <= $4 THEN row_number() OVER (ORDER BY position) END AS position,
       rank, score, members, favorites
FROM jikan.ranking_history
WHERE kind = $1 AND subtype = $3 AND filter = 'none'
  AND valid_from <= $5::timestamptz AND (valid_to > $5::timestamptz OR valid_to IS NULL)
  AND /* of the type */
