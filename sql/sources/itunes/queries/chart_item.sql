-- An entry of charts, as the charts describe it, with the columns that show.sql also has.
-- $1 id, $2 types text[], $3 class
SELECT country, $3::text AS class, id, name AS title, artist_id, artist_name, url AS track_view_url,
       artist_url AS artist_view_url, artwork_url, release_date, content_advisory_rating, to_json(genres) AS genres
FROM itunes.chart_item WHERE id = $1 AND type = ANY ($2::text[]) ORDER BY country, type
