-- The live items of a kind that a walk did not meet, and the number of all live items for the safety guard. Most
-- servers list no unapproved items. Unapproved items are included only if the walk's lists contained one of them.
-- $1 walk bigint, $2 scope text[] (kind), $3 keys that a dry run met bigint[], $4 number of new items among them bigint
-- One aggregate instead of a join: without statistics, as in a first load, the planner expects few items and would
-- compare each item with each key of the walk.
WITH item AS (
  SELECT key, bool_or(approved) AS approved, bool_and(is_stored) AS is_missing, bool_or(is_listed) AS is_listed
  FROM (
    SELECT mal_id AS key, approved, true AS is_stored, NULL::boolean AS is_listed FROM jikan.media
    WHERE kind = ($2::text[])[1] AND vanished_at IS NULL
    UNION ALL
    SELECT unnest(keys), NULL, false, list_page IS NOT NULL FROM sync.walk_page WHERE walk_id = $1::bigint
    UNION ALL
    SELECT unnest($3::bigint[]), NULL, false, true
  ) reading
  GROUP BY key
  HAVING bool_or(is_stored)
), candidate AS (
  SELECT key, is_missing FROM item
  WHERE approved OR (SELECT bool_or(is_listed AND NOT approved) FROM item)
)
SELECT key, (SELECT count(*) FROM candidate) + $4::bigint AS live
FROM candidate WHERE is_missing
ORDER BY key
