-- The list that publishing the walk would produce. If several page readings contain a key, the latest one determines
-- the key's place. A superseded reading is used only if no other reading has the key. Positions count items without a
-- readable id. If there are such items, the published entries that the walk did not meet keep their positions and are
-- marked as unread.
place AS (
  SELECT DISTINCT ON (s.key) s.key, p.list_page, s.ordinal, p.page AS reading
  FROM sync.published_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.is_superseded, p.page DESC, s.ordinal
), numbered AS (
  SELECT key, row_number() OVER (ORDER BY list_page, ordinal, key IS NULL, reading DESC, key)::integer AS position
  FROM (
    TABLE place
    UNION ALL
    SELECT NULL, p.list_page, s.ordinal, p.page FROM sync.published_page p, unnest(p.unreadable_after) AS s (ordinal)
    WHERE p.walk_id = $1::bigint AND NOT p.is_superseded
  ) item
), seen AS MATERIALIZED (
  SELECT key, position FROM numbered WHERE key IS NOT NULL
), listed AS MATERIALIZED (
  SELECT key, position, unread FROM (
    SELECT key, position, false AS unread FROM seen
    UNION ALL
    SELECT syncctl_key, position, true FROM /* list table */
    WHERE syncctl_key NOT IN (SELECT key FROM seen)
      AND EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
  ) placed ORDER BY position, unread, key
)
