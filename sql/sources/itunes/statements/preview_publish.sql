-- Counts the published results, and the results that publishing the walk would remove (0 if an id was unreadable).
-- Look-ups publish nothing.
-- $1 walk bigint, $2 scope text[] (country, search | lookup | refresh, name), $3 keys that a dry run met bigint[],
-- $4 number of new keys among them bigint
WITH unused AS (SELECT $4::bigint)
SELECT count(*) AS published, count(*) FILTER (
  WHERE s.key IS NULL AND NOT /* has unreadable */) AS removed
FROM itunes.search_result r
LEFT JOIN (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION
  SELECT unnest($3::bigint[])
) s ON s.key = itunes.key(r.class, r.id)
WHERE r.search = CASE WHEN ($2::text[])[2] = 'search' THEN ($2::text[])[3] ELSE '' END
