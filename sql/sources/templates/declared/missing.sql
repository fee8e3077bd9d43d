-- The live items that a walk did not meet, the number of all live items for the safety guard, and the members of each
-- item's key as a JSON array of texts.
-- $1 walk bigint, $2 scope text[], $3 keys that a dry run met bigint[], $4 number of new items among them bigint
-- One aggregate instead of a join: without statistics, as in a first load, the planner expects few items and would
-- compare each item with each key of the walk.
WITH item AS (
  SELECT key, bool_and(is_stored) AS is_missing FROM (
    SELECT syncctl_key AS key, true AS is_stored FROM /* table */ WHERE vanished_at IS NULL AND $2::text[] IS NOT NULL
    UNION ALL
    SELECT unnest(keys), false FROM sync.walk_page WHERE walk_id = $1::bigint
    UNION ALL
    SELECT unnest($3::bigint[]), false
  ) reading
  GROUP BY key HAVING bool_or(is_stored)
)
SELECT key, (SELECT count(*) FROM item) + $4::bigint AS live,
       (SELECT (/* key texts */)::text FROM /* table */ d WHERE d.syncctl_key = item.key) AS members
FROM item WHERE is_missing
ORDER BY key
