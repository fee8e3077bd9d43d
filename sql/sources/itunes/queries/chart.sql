-- One page of a chart at a given time.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 time, $6 position to continue after, $7 limit, $8 rows to skip
SELECT c.position, c.id, i.name, i.artist_id, i.artist_name, i.kind, i.release_date, i.content_advisory_rating,
       to_json(i.genres) AS genres, i.url, i.artist_url, i.artwork_url, c.valid_from AS since,
       $5::timestamptz::text AS cursor_published_at, c.position AS cursor_position, c.total AS page_total
FROM (SELECT *, count(*) OVER () AS total FROM itunes.chart_as_of($1, $2, $3, $4, $5::timestamptz)) c
LEFT JOIN itunes.chart_item i ON i.country = $1 AND i.type = $4 AND i.id = c.id
WHERE c.position > $6::bigint ORDER BY c.position LIMIT $7 OFFSET $8
