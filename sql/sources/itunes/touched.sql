-- Readings of a walk whose items are not all in the mirror as the pages had them: one was written since, has vanished,
-- or is not there.
-- $1 walk bigint, $2 readings integer[], $3 scope text[] (country, …)
SELECT DISTINCT p.page
FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key
LEFT JOIN LATERAL (
  SELECT id, changed_at, vanished_at FROM itunes.item
  WHERE country = ($3::text[])[1] AND class = itunes.key_class(key) AND id = itunes.key_id(key) OFFSET 0
) i ON true
WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[])
  AND (i.id IS NULL OR i.vanished_at IS NOT NULL OR i.changed_at > coalesce(p.mirrored_at, p.fetched_at))
