-- The page readings of a walk that no longer match the mirror: an item was changed after the reading, has vanished, is
-- missing, or must be written again. A reading from the future also counts, because the clock was set back after it.
-- $1 walk bigint, $2 readings integer[], $3 scope text[]
SELECT DISTINCT p.page
FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key
/* look-up */
WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[])
  AND (d.content_hash IS NULL OR /* vanished */ OR /* noted */
    OR /* changed at */ > coalesce(p.mirrored_at, p.fetched_at)
    OR coalesce(p.mirrored_at, p.fetched_at) > clock_timestamp())
