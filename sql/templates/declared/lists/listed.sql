-- The lists that publishing the walk would produce. A list that the walk did not read to its end keeps its published
-- places. If a list has items without a readable id, its published entries that the walk did not meet keep their
-- positions and are marked as unread. The places of lists that the stream no longer has are removed.
present AS MATERIALIZED (
  SELECT /* list name */ AS list FROM sync.walk w CROSS JOIN unnest(w.lists) AS name WHERE w.id = $1::bigint
), ended AS MATERIALIZED (
  SELECT /* list name */ AS list, unreadable > 0 AS has_unreadable, first_reading, last_reading
  FROM (SELECT list AS name, * FROM sync.walk_list) l WHERE walk_id = $1::bigint AND is_published
), page AS MATERIALIZED (
  SELECT e.list, p.page, p.list_page, p.keys, p.is_superseded, p.unreadable_after
  FROM sync.published_page p
  JOIN ended e ON p.list = e.list::text AND p.page BETWEEN e.first_reading AND e.last_reading
  WHERE p.walk_id = $1::bigint
), seen AS MATERIALIZED (
  -- If several readings of a list contain a key, the latest one determines the key's place. A superseded reading is
  -- used only if no other reading has the key. Positions count items without a readable id.
  SELECT list, key, position FROM (
    SELECT list, key,
           row_number() OVER (
             PARTITION BY list ORDER BY list_page, ordinal, key IS NULL, reading DESC, key)::integer AS position
    FROM (
      (SELECT DISTINCT ON (p.list, s.key) p.list, s.key, p.list_page, s.ordinal, p.page AS reading
       FROM page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
       ORDER BY p.list, s.key, p.is_superseded, p.page DESC, s.ordinal)
      UNION ALL
      SELECT p.list, NULL, p.list_page, s.ordinal, p.page FROM page p, unnest(p.unreadable_after) AS s (ordinal)
      WHERE NOT p.is_superseded
    ) place
  ) numbered
  WHERE key IS NOT NULL
), listed AS MATERIALIZED (
  SELECT list, key, position, unread FROM (
    SELECT list, key, position, false AS unread FROM seen
    UNION ALL
    SELECT list, l.syncctl_key, l.position, CASE WHEN e.list IS NULL THEN l.unread ELSE true END
    FROM /* list table */ l JOIN present USING (list) LEFT JOIN ended e USING (list)
    WHERE e.list IS NULL
       OR e.has_unreadable AND NOT EXISTS (SELECT FROM seen s WHERE s.list = l.list AND s.key = l.syncctl_key)
  ) placed ORDER BY list, position, unread, key
)
