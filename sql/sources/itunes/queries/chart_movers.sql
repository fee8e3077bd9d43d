-- The entries that moved in a chart since a time.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 time, $6 limit
WITH moved AS (
  SELECT id, name, artist_name, position, previous_position, change, movement,
         CASE movement WHEN 'up' THEN 'climbed' WHEN 'down' THEN 'fell' WHEN 'entered' THEN 'new'
           WHEN 'unread' THEN 'not read' ELSE 'left' END AS section, ordinality
  FROM itunes.chart_movers($1, $2, $3, $4, $5::timestamptz) WITH ORDINALITY
)
SELECT id, name, artist_name, position, previous_position, change, movement, section, count(*) OVER () AS page_total,
       (SELECT json_object_agg(c.section, c.entries)
        FROM (SELECT section, count(*) AS entries FROM moved GROUP BY section) c) AS section_totals
FROM moved ORDER BY ordinality LIMIT $6
