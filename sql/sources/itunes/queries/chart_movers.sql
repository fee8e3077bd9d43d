-- The entries that moved in a chart since a time.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 time, $6 limit
SELECT id, name, artist_name, position, previous_position, change, movement,
       CASE movement WHEN 'up' THEN 'climbed' WHEN 'down' THEN 'fell' WHEN 'entered' THEN 'new' ELSE 'left' END
         AS section, count(*) OVER () AS page_total, count(*) OVER (PARTITION BY movement) AS section_total
FROM itunes.chart_movers($1, $2, $3, $4, $5::timestamptz) WITH ORDINALITY ORDER BY ordinality LIMIT $6
