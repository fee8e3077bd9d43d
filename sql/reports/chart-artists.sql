-- The artists with the most places in the mirrored charts of each storefront, with their best place.
SELECT country, type, position, artist, places, best_place, best_title
FROM (
  SELECT country, type, artist_name AS artist, count(*) AS places, min(place) AS best_place,
         (array_agg(name ORDER BY place, feed, id))[1] AS best_title,
         rank() OVER (PARTITION BY country, type ORDER BY count(*) DESC, min(place), artist_name) AS position
  FROM (SELECT *, chart_ranking.position AS place FROM itunes.chart_ranking) AS ranked
  WHERE artist_name IS NOT NULL
  GROUP BY country, type, artist_name
) AS counted
WHERE position <= 10
ORDER BY country, type, position
