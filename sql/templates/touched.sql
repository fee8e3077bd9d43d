-- The page readings of a walk that no longer match the mirror: an item was changed after the reading, has vanished, is
-- missing, or must be written again. A reading from the future also counts, because the clock was set back after it.
-- $1 walk bigint, $2 readings integer[], $3 scope text[]
WITH reading AS MATERIALIZED (
  SELECT p.page, key, coalesce(p.mirrored_at, p.fetched_at) AS mirrored_at
  FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key
  WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[])
)
SELECT DISTINCT page
FROM reading
/* look-up */
WHERE d.content_hash IS NULL OR /* vanished */ OR /* noted */
  OR /* changed at */ > mirrored_at OR mirrored_at > clock_timestamp()
