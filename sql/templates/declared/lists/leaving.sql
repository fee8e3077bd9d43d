-- The entries of the published lists that a walk did not see, in the lists that it read to their ends.
-- $1 walk bigint, $2 scope text[]
SELECT l.syncctl_key AS key
FROM (/* published list */) AS published
JOIN /* list table */ l ON l.syncctl_key = published.key AND l.list = published.list
JOIN sync.walk_list e ON e.walk_id = $1::bigint AND e.list = l.list::text AND e.is_published
WHERE NOT EXISTS (
  SELECT FROM sync.published_page p
  WHERE p.walk_id = $1::bigint AND p.page BETWEEN e.first_reading AND e.last_reading AND l.syncctl_key = ANY (p.keys))
ORDER BY l.list, l.position
