-- The live items of a kind that a walk did not meet, and the number of all live items for the safety guard. Most
-- servers list no unapproved items. Unapproved items are included only if the walk's lists contained one of them.
-- $1 walk bigint, $2 scope text[] (kind), $3 keys that a dry run met bigint[], $4 number of new items among them bigint
WITH seen AS (
  SELECT key, bool_or(is_listed) AS is_listed
  FROM (
    SELECT unnest(keys) AS key, list_page IS NOT NULL AS is_listed FROM sync.walk_page WHERE walk_id = $1::bigint
    UNION ALL
    SELECT unnest($3::bigint[]), true
  ) reading
  GROUP BY key
), live AS (
  SELECT m.mal_id, m.approved, s.key IS NULL AS is_missing, s.is_listed
  FROM jikan.media m LEFT JOIN seen s ON s.key = m.mal_id
  WHERE m.kind = ($2::text[])[1] AND m.vanished_at IS NULL
), candidate AS (
  SELECT mal_id, is_missing FROM live
  WHERE approved OR (SELECT bool_or(is_listed AND NOT approved) FROM live)
)
SELECT mal_id, (SELECT count(*) FROM candidate) + $4::bigint AS live
FROM candidate WHERE is_missing
ORDER BY mal_id
