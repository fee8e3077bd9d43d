-- The values that the filters of a ranking can have, with their numbers of entries in the mirror. Years are those of
-- jikan.slice, the latest first. Other values are sorted by their names.
-- $1 kind
WITH entry AS (
  SELECT type, status, season, sync.lower(split_part(rating, ' - ', 1)) AS rating,
         (CASE kind WHEN 'anime' THEN year ELSE extract(year FROM started_at AT TIME ZONE 'UTC') END)::integer AS year
  FROM jikan.media WHERE kind = $1 AND vanished_at IS NULL
)
SELECT CASE WHEN GROUPING(type) = 0 THEN 'type' WHEN GROUPING(status) = 0 THEN 'status'
            WHEN GROUPING(season) = 0 THEN 'season' WHEN GROUPING(rating) = 0 THEN 'rating' ELSE 'year' END AS filter,
       coalesce(type, status, season, rating, year::text) AS value, count(*) AS entries
FROM entry
GROUP BY GROUPING SETS ((type), (status), (season), (rating), (year))
HAVING coalesce(type, status, season, rating, year::text) IS NOT NULL
ORDER BY 1, year DESC, 2
