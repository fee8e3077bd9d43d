-- What the statements of this folder have in common, and what the program chooses from. A question about a list has
-- $1 kind, $2 type of the upstream or NULL, $3 filter of the list, and a slice of it: $4 genres text[], all of which an
-- entry has, $5 studios text[], $6 seasons text[], $7 years integer[], $8 statuses text[], $9 ratings text[] in lower
-- case, one of which it has, $10 the least score or NULL. What is empty narrows nothing.

/* the list: */
-- The upstream's own list of a type if it was mirrored, else the rows of that type in the whole list.
list AS MATERIALIZED (
  SELECT CASE WHEN EXISTS (SELECT FROM jikan.ranking WHERE kind = $1 AND subtype = $2 AND filter = $3)
              THEN $2::text ELSE 'all' END AS subtype
)
/* entries of the list: */
SELECT mal_id, position FROM jikan.ranking r JOIN list USING (subtype)
WHERE kind = $1 AND filter = $3 AND (subtype = $2 OR /* of the type */)
/* entries of the order: */
SELECT mal_id, position
FROM jikan.published_order o CROSS JOIN unnest(o.mal_ids) WITH ORDINALITY AS u (mal_id, position)
WHERE kind = $1 AND subtype IN ($2, 'all') AND filter = $3 AND taken_at = (SELECT taken_at FROM moment)
  AND (subtype = $2 OR /* of the type */)
/* entries of the mirror: */
SELECT mal_id FROM jikan.media m
WHERE kind = $1 AND vanished_at IS NULL AND ($2::text IS NULL OR m.type = jikan.type_label($2)) AND $3 = 'none'
  AND /* condition */
/* of the type: */
-- Without a type, media are not read.
($2::text IS NULL OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
/* in the slice: */
(cardinality($4::text[]) = 0 OR mal_id IN (
  SELECT mal_id
  -- The index has names of any facet: a studio may be called like a genre.
  FROM (SELECT mal_id, unnest(facets) AS facet, unnest(names) AS name
        FROM jikan.media_links WHERE kind = $1 AND names @> $4) l
  WHERE facet IN ('genres', 'explicit_genres', 'themes', 'demographics') AND name = ANY ($4)
  GROUP BY mal_id HAVING count(DISTINCT name) = cardinality($4)))
AND (cardinality($5::text[]) = 0 OR mal_id IN (
  SELECT mal_id
  FROM (SELECT mal_id, unnest(facets) AS facet, unnest(names) AS name
        FROM jikan.media_links WHERE kind = $1 AND names && $5) l
  WHERE facet = 'studios' AND name = ANY ($5)))
AND (cardinality($6::text[]) + cardinality($7::integer[]) + cardinality($8::text[]) + cardinality($9::text[]) = 0
  OR mal_id IN (
    SELECT mal_id FROM jikan.media
    WHERE kind = $1 AND (cardinality($6) = 0 OR season = ANY ($6))
      AND (cardinality($7) = 0 OR CASE kind WHEN 'anime' THEN year
           ELSE extract(year FROM started_at AT TIME ZONE 'UTC') END = ANY ($7))
      AND (cardinality($8) = 0 OR status = ANY ($8))
      AND (cardinality($9) = 0 OR lower(split_part(rating, ' - ', 1)) = ANY ($9))))
AND ($10::numeric IS NULL OR nullif(score, 0) >= $10)
/* condition of all: */ true
/* condition of airing: */ ongoing
/* condition of upcoming: */ status IN ('Not yet aired', 'Not yet published')
/* key by position: */ position
/* key by rank: */
nullif(CASE WHEN c.changed_at > (SELECT began_at FROM moment) THEN coalesce(rank_then, c.rank) ELSE c.rank END, 0)
/* key by score: */ -(nullif(c.score, 0) * 1000000)::bigint
/* key by members: */ -c.members
/* key by favorites: */ -c.favorites

/* ordered: */
-- The entries by a number that is the less the earlier they come. $11 and $12 are the moment at which a listing began:
-- the publication that it read, and the time, as bigint in microseconds; both NULL for now. Ranks that have changed
-- since then are those of that publication.
/* the list */, moment AS MATERIALIZED (
  SELECT coalesce(
           timestamptz 'epoch' + $11::bigint * interval '1 microsecond',
           (SELECT max(taken_at) FROM jikan.published_order JOIN list USING (subtype) WHERE kind = $1 AND filter = $3)
         ) AS taken_at,
         coalesce(timestamptz 'epoch' + $12::bigint * interval '1 microsecond', transaction_timestamp()) AS began_at
), chosen AS (
/* entries */
), ranked AS (
  SELECT u.mal_id, u.rank_then
  FROM jikan.published_order o CROSS JOIN unnest(o.mal_ids, o.ranks) AS u (mal_id, rank_then)
  -- Only for a listing that began before.
  WHERE $12::bigint IS NOT NULL
    AND o.kind = $1 AND o.subtype IN ($2, 'all') AND o.filter = $3
    AND o.taken_at = (SELECT taken_at FROM moment)
), ordered AS (
  SELECT mal_id, coalesce(/* key */, 9223372036854775807)::bigint AS key
  FROM chosen
  LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
  LEFT JOIN ranked USING (mal_id)
  WHERE /* in the slice */
)

/* listed: */
-- A list as it was: $11 subtype of the list, $12 positions that are exact, $13 time. The position is null beyond those,
-- and counts the entries of the type and the slice alone.
SELECT mal_id, CASE WHEN position <= $12 THEN row_number() OVER (ORDER BY position) END AS position,
       rank, score, members, favorites
FROM jikan.ranking_history
WHERE kind = $1 AND subtype = $11 AND filter = $3
  AND valid_from <= $13::timestamptz AND (valid_to > $13::timestamptz OR valid_to IS NULL)
  AND (subtype = $2 OR /* of the type */)
  AND /* in the slice */

/* match all: */ (t.titles LIKE ALL ($2::text[]) OR replace(t.titles, ' ', '') LIKE $3::text)
/* match any: */ replace(t.titles, ' ', '') LIKE ANY ($2::text[])
