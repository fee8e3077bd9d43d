-- Readings of a walk whose items are not all in the mirror as the pages had them: one was written since, has vanished,
-- or is not there.
-- $1 walk bigint, $2 readings integer[], $3 scope text[] (kind, …)
SELECT DISTINCT p.page
FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key
-- One look-up for each item, as where they are compared.
LEFT JOIN LATERAL (
  SELECT mal_id, changed_at, vanished_at FROM jikan.media WHERE kind = ($3::text[])[1] AND mal_id = key OFFSET 0
) m ON true
LEFT JOIN LATERAL (
  SELECT changed_at FROM jikan.media_counters WHERE kind = ($3::text[])[1] AND mal_id = key OFFSET 0
) c ON true
WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[])
  AND (m.mal_id IS NULL OR m.vanished_at IS NOT NULL
    OR greatest(m.changed_at, c.changed_at) > coalesce(p.mirrored_at, p.fetched_at))
