-- Where an item stands in a ranking.
-- $1 kind, $2 type of the upstream or NULL, $3 mal_id
WITH chosen AS (
/* entries */
), ordered AS (
  SELECT row_number() OVER (ORDER BY /* order */, mal_id) AS place, mal_id
  FROM chosen LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
)
SELECT place FROM ordered WHERE mal_id = $3
