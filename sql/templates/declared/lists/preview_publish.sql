-- Counts the published entries, and the entries that publishing the walk would remove. A list that the walk did not
-- read to its end, or that has items without a readable id, loses none. A list that the stream no longer has loses all.
-- $1 walk bigint, $2 scope text[], $3 keys that a dry run met bigint[], $4 number of new keys among them bigint,
-- $5 lists of which a dry run would publish nothing text[] (null in other runs)
WITH unused AS (SELECT $2::text[], $4::bigint), ended AS MATERIALIZED (
  SELECT /* list name */ AS list, first_reading, last_reading, unreadable > 0 AS has_unreadable
  FROM (SELECT list AS name, * FROM sync.walk_list) l WHERE walk_id = $1::bigint AND is_published
), seen AS MATERIALIZED (
  SELECT DISTINCT e.list, s.key
  FROM ended e
  JOIN sync.published_page p ON p.list = e.list::text AND p.page BETWEEN e.first_reading AND e.last_reading
  CROSS JOIN unnest(p.keys) AS s (key)
  WHERE p.walk_id = $1::bigint
), present AS MATERIALIZED (
  SELECT /* list name */ AS list
  FROM unnest(coalesce($5::text[], (SELECT lists FROM sync.walk WHERE id = $1::bigint))) AS name
)
SELECT count(*) AS published, count(*) FILTER (
  WHERE s.key IS NULL AND l.syncctl_key <> ALL ($3::bigint[])
    AND CASE WHEN e.list IS NULL THEN p.list IS NULL ELSE NOT e.has_unreadable END) AS removed
FROM /* list table */ l
LEFT JOIN present p USING (list)
LEFT JOIN ended e USING (list)
LEFT JOIN seen s ON s.list = l.list AND s.key = l.syncctl_key
