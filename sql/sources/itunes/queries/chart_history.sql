-- The history of one entry in one chart, oldest first.
-- $1 storefront, $2 medium, $3 feed, $4 type, $5 id
SELECT h.position, h.valid_from, h.valid_to,
       greatest(0, extract(epoch FROM coalesce(h.valid_to, clock_timestamp()) - h.valid_from))::bigint
         AS duration_seconds, i.name, h.unread
FROM itunes.chart_history h LEFT JOIN itunes.chart_item i USING (country, type, id)
WHERE h.country = $1 AND h.media = $2 AND h.feed = $3 AND h.type = $4 AND h.id = $5
ORDER BY h.valid_from
