-- What changed for favorites since a time, the latest first. Values are compared with those at that time, or with the
-- first ones of a list whose history begins later.
-- $1 collection or NULL, $2 the time
WITH favorite AS (
  SELECT collection, source, kind, id FROM app.favorite WHERE $1::text IS NULL OR collection = $1
), noted AS (
  -- OFFSET 0 makes the view look up one item at a time.
  SELECT f.*, h.*
  FROM (SELECT DISTINCT source, kind, id FROM favorite) f CROSS JOIN LATERAL (
    SELECT v.list, v.list_began_at, v.what, v.value, v.valid_from, v.valid_to FROM app.favorite_history v
    WHERE v.source = f.source AND v.kind = f.kind AND v.id = f.id OFFSET 0
  ) h
), stepped AS (
  SELECT *, value IS DISTINCT FROM lag(value) OVER (PARTITION BY source, kind, id, list, what ORDER BY valid_from)
           AS is_step
  FROM noted WHERE list IS NOT NULL
), compared AS (
  -- One row for each value of an item in a list.
  SELECT source, kind, id, list, what, coalesce(min(list_began_at) <= $2::timestamptz, false) AS is_known_then,
         bool_or(valid_from <= $2::timestamptz) AS was_listed_by_then,
         bool_or(valid_from <= $2::timestamptz AND (valid_to IS NULL OR valid_to > $2::timestamptz)) AS was_listed,
         bool_or(valid_to IS NULL) AS is_listed,
         (array_agg(value ORDER BY valid_from DESC) FILTER (WHERE valid_from <= $2::timestamptz))[1] AS value_then,
         (array_agg(value ORDER BY valid_from))[1] AS first_value,
         (array_agg(value ORDER BY valid_from DESC))[1] AS value,
         max(valid_from) FILTER (WHERE is_step) AS stepped_at,
         min(valid_from) FILTER (WHERE valid_from > $2::timestamptz) AS came_at, max(valid_to) AS left_at
  FROM stepped GROUP BY source, kind, id, list, what
), change AS (
  SELECT source, kind, id, what, CASE WHEN is_known_then THEN value_then ELSE first_value END AS before,
         value AS after, stepped_at AS at, list
  FROM compared
  WHERE is_listed AND (was_listed OR NOT is_known_then)
    AND CASE WHEN is_known_then THEN value_then ELSE first_value END IS DISTINCT FROM value
  UNION ALL
  -- An item comes into a list, or leaves it, with all of its values.
  SELECT DISTINCT source, kind, id,
         CASE WHEN NOT is_listed THEN 'left' WHEN was_listed_by_then THEN 'returned' ELSE 'entered' END,
         NULL::numeric, NULL::numeric, CASE WHEN is_listed THEN came_at ELSE left_at END, list
  FROM compared
  WHERE CASE WHEN is_known_then THEN is_listed <> was_listed ELSE NOT is_listed END
  UNION ALL
  SELECT source, kind, id, what, NULL, NULL, valid_from, NULL FROM noted
  WHERE list IS NULL AND valid_from > $2::timestamptz
)
SELECT f.collection, f.source, f.kind, f.id, t.title, c.what, c.before, c.after, c.at, c.list
FROM favorite f JOIN change c USING (source, kind, id) LEFT JOIN
/* titles */ ON true
ORDER BY c.at DESC, f.collection, f.source, f.kind, f.id, c.list, c.what
