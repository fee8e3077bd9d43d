-- Counts the results that publishing a search leaves, and those that it removes. Look-ups publish nothing.
-- $1 walk bigint, $2 scope text[] (country, search | lookup | refresh, name), $3 unstored readings of a dry run
-- bigint[]
SELECT count(*) AS published, count(*) FILTER (WHERE s.key IS NULL) AS removed
FROM itunes.search_result r
LEFT JOIN (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION
  SELECT unnest($3::bigint[])
) s ON s.key = itunes.key(r.class, r.id)
WHERE r.search = ($2::text[])[3] AND ($2::text[])[2] = 'search' AND $4::bigint IS NOT NULL
