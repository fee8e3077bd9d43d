-- The entries of the published lists that a walk did not see, in the lists that it read to their ends, and the entries
-- of lists that the stream no longer has.
-- $1 walk bigint, $2 scope text[]
SELECT l.syncctl_key AS key
FROM /* list table */ l
LEFT JOIN sync.walk_list e ON e.walk_id = $1::bigint AND e.list = l.list::text AND e.is_published
WHERE CASE
    WHEN e.list IS NULL THEN l.list::text NOT IN (SELECT unnest(lists) FROM sync.walk WHERE id = $1::bigint)
    ELSE NOT EXISTS (
      SELECT FROM sync.published_page p
      WHERE p.walk_id = $1::bigint AND p.list = e.list AND p.page BETWEEN e.first_reading AND e.last_reading
        AND l.syncctl_key = ANY (p.keys))
  END
ORDER BY l.list, l.position
