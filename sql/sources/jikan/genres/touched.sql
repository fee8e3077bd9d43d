-- Readings of a walk whose genres are not all in the mirror as the list had them: one was written since, or is not there.
-- $1 walk bigint, $2 readings integer[], $3 scope text[] (kind, facet)
SELECT DISTINCT p.page
FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key
LEFT JOIN jikan.genre g ON g.kind = ($3::text[])[1] AND g.facet = ($3::text[])[2] AND g.mal_id = key
WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[])
  AND (g.mal_id IS NULL OR greatest(g.changed_at, g.count_changed_at) > coalesce(p.mirrored_at, p.fetched_at))
