-- Readings of a walk whose entries are not all in the mirror as the chart had them: one was written since, or is not
-- there.
-- $1 walk bigint, $2 readings integer[], $3 scope text[] (country, media, feed, type)
SELECT DISTINCT p.page
FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key
LEFT JOIN itunes.chart_item c ON c.country = ($3::text[])[1] AND c.type = ($3::text[])[4] AND c.id = key
WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[])
  AND (c.id IS NULL OR c.changed_at > coalesce(p.mirrored_at, p.fetched_at))
