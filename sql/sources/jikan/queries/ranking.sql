-- Part of a ranking.
-- $1 kind, $2 type of the upstream or NULL, $3 position to continue after, $4 limit
WITH chosen AS (
/* entries */
), part AS (
  -- Limited before the titles are looked up, for the few that are shown.
  SELECT row_number() OVER (ORDER BY /* order */, mal_id) AS place, mal_id
  FROM chosen LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
  ORDER BY /* order */, mal_id LIMIT $4 OFFSET $3
)
SELECT place AS position, mal_id, title, title_english, title_japanese, type, nullif(score, 0) AS score,
       c.rank, members, favorites, url
FROM part
LEFT JOIN (SELECT * FROM jikan.media WHERE kind = $1) m USING (mal_id)
LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
ORDER BY place
