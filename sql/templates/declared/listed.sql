-- The list that publishing the walk would produce. If several page readings contain a key, the latest one determines
-- the key's place. A superseded reading is used only if no other reading has the key. If an id was unreadable, the
-- published entries that the walk did not meet stay at the end of the list.
place AS (
  SELECT DISTINCT ON (s.key) s.key, p.list_page, s.ordinal, p.page AS reading
  FROM sync.published_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.is_superseded, p.page DESC, s.ordinal
), seen AS MATERIALIZED (
  SELECT key, row_number() OVER (ORDER BY list_page, ordinal, reading DESC, key)::integer AS position FROM place
), listed AS MATERIALIZED (
  SELECT key, position FROM (
    SELECT key, position FROM seen
    UNION ALL
    SELECT syncctl_key, ((SELECT count(*) FROM seen) + row_number() OVER (ORDER BY position))::integer
    FROM /* list table */
    WHERE syncctl_key NOT IN (SELECT key FROM seen)
      AND EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
  ) placed ORDER BY position
)
