-- The changes of favorites since a time, latest first. Each list is compared with its state at that time, or with
-- its first state if its history begins after that time. An item that the list's last walk did not read keeps its values.
-- $1 collection or NULL, $2 the time
WITH favorite AS (
  SELECT collection, source, kind, id FROM app.favorite f WHERE ($1::text IS NULL OR normalize(f.collection) = normalize($1))
), noted AS (
  -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
  SELECT f.*, h.*
  FROM (SELECT DISTINCT source, kind, id FROM favorite) f CROSS JOIN LATERAL (
    SELECT v.list, greatest(v.list_began_at, $2::timestamptz) AS since, v.what, v.value, v.valid_from, v.valid_to
    FROM app.history_of(f.source, f.kind, f.id) v
    WHERE (v.valid_to IS NULL OR v.valid_to > greatest(v.list_began_at, $2::timestamptz)) OFFSET 0
  ) h
), stepped AS (
  SELECT *, value IS DISTINCT FROM lag(value) OVER (PARTITION BY source, kind, id, list, what ORDER BY valid_from)
           AS is_step
  FROM noted WHERE list IS NOT NULL AND what <> 'unread'
), compared AS (
  SELECT source, kind, id, list, what, since,
         bool_or(valid_from <= since) AS was_listed, bool_or(valid_to IS NULL) AS is_listed,
         (array_agg(value ORDER BY valid_from DESC) FILTER (WHERE valid_from <= since))[1] AS value_then,
         (array_agg(value ORDER BY valid_from DESC))[1] AS value,
         max(valid_from) FILTER (WHERE is_step) AS stepped_at,
         min(valid_from) FILTER (WHERE valid_from > since) AS came_at, max(valid_to) AS left_at
  FROM stepped GROUP BY source, kind, id, list, what, since
), change AS (
  SELECT source, kind, id, what, value_then AS before, value AS after, stepped_at AS at, list
  FROM compared WHERE is_listed AND was_listed AND value_then IS DISTINCT FROM value
  UNION ALL
  -- If an item enters or leaves a list, DISTINCT combines the rows of its values into one.
  SELECT DISTINCT source, kind, id,
         CASE WHEN NOT is_listed THEN 'left' WHEN EXISTS (
           SELECT FROM app.history_of(c.source, c.kind, c.id) h
           WHERE h.list = c.list AND h.valid_from <= since
         ) THEN 'returned' ELSE 'entered' END,
         NULL::numeric, NULL::numeric, CASE WHEN is_listed THEN came_at ELSE left_at END, list
  FROM compared c WHERE is_listed <> was_listed
  UNION ALL
  SELECT source, kind, id, what, NULL, NULL, valid_from, list FROM noted
  WHERE what = 'unread' AND valid_to IS NULL AND valid_from > $2::timestamptz
  UNION ALL
  SELECT source, kind, id, what, NULL, NULL, valid_from, NULL FROM noted
  WHERE list IS NULL AND valid_from > $2::timestamptz
)
SELECT f.collection, f.source, f.kind, f.id, t.title, c.what, c.before, c.after, c.at, c.list
FROM favorite f JOIN change c USING (source, kind, id) LEFT JOIN LATERAL (
  SELECT v.title FROM app.item_of(f.source, f.kind, f.id) v OFFSET 0
) t ON true
ORDER BY c.at DESC, f.collection, f.source, f.kind, f.id, c.list, c.what
