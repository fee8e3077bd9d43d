-- One page of a chart at a given time.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 time, $6 place to continue after, $7 limit, $8 only id, or NULL,
-- $9 rows to skip
WITH listed AS (
  -- An unread entry can have the position of another entry. Places are distinct.
  SELECT id, position, unread, valid_from, row_number() OVER (ORDER BY position, unread, id) AS place,
         count(*) OVER () AS total
  FROM itunes.chart_history
  WHERE country = $1 AND media = $2 AND feed = $3 AND type = $4
    AND valid_from <= $5::timestamptz AND (valid_to > $5::timestamptz OR valid_to IS NULL)
)
SELECT c.position, c.id, i.name, i.artist_id, i.artist_name, i.kind, i.release_date, i.content_advisory_rating,
       to_json(i.genres) AS genres, i.url, i.artist_url, i.artwork_url, c.valid_from AS since, c.unread,
       $5::timestamptz::text AS cursor_published_at, c.place AS cursor_position, c.total AS page_total
FROM listed c
LEFT JOIN itunes.chart_item i ON i.country = $1 AND i.type = $4 AND i.id = c.id
WHERE c.place > $6::bigint AND ($8::bigint IS NULL OR c.id = $8) ORDER BY c.place LIMIT $7 OFFSET $9
