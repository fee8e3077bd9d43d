-- Counts the published entries of a chart, and the entries that publishing the walk would remove (0 if an id was
-- unreadable).
-- $1 walk bigint, $2 scope text[] (country, media, feed, type), $3 keys that a dry run met bigint[],
-- $4 number of new keys among them bigint
WITH unused AS (SELECT $4::bigint)
SELECT count(*) AS published, count(*) FILTER (
  WHERE s.key IS NULL AND NOT /* has unreadable */) AS removed
FROM itunes.chart_entry e
LEFT JOIN (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION
  SELECT unnest($3::bigint[])
) s ON s.key = e.id
WHERE (e.country, e.media, e.feed, e.type)
      = (($2::text[])[1], ($2::text[])[2], ($2::text[])[3], ($2::text[])[4])
