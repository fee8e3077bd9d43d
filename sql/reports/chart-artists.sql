-- title: Artists of the charts
-- description: The artists with the most places in the mirrored charts of each storefront, with their best place.
-- source: itunes
-- parameter: limit integer = 10 (0..100000) | Artists per storefront and type; 0 for all
-- column: country | Storefront.
-- column: type | Type of the charts, e.g. songs.
-- column: position | Place among the artists of that storefront and type.
-- column: artist | Name.
-- column: places | Places in charts.
-- column: best_place | Best place.
-- column: best_title | Title at the best place.
SELECT country, type, position, artist, places, best_place, best_title
FROM (
  SELECT country, type, artist_name AS artist, count(*) AS places, min(place) AS best_place,
         (array_agg(name ORDER BY place, feed, id))[1] AS best_title,
         rank() OVER (PARTITION BY country, type ORDER BY count(*) DESC, min(place), artist_name COLLATE "C") AS position
  FROM (SELECT *, chart_ranking.position AS place FROM itunes.chart_ranking) AS ranked
  WHERE artist_name IS NOT NULL
  GROUP BY country, type, artist_name
) AS counted
WHERE position <= :limit OR :limit = 0
ORDER BY country, type, position
