-- The chart that publishing the walk would produce. If an id occurs twice, only its first place counts. Positions count
-- entries without a readable id. If there are such entries, the published entries that the walk did not meet keep their
-- positions and are marked as unread.
place AS (
  SELECT DISTINCT ON (s.id) s.id, p.list_page, p.page AS reading, s.ordinal
  FROM sync.walk_page p, unnest(p.keys) WITH ORDINALITY AS s (id, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.id, p.list_page, p.page DESC, s.ordinal
), numbered AS (
  SELECT id, row_number() OVER (ORDER BY list_page, reading DESC, ordinal, id IS NULL)::integer AS position
  FROM (
    TABLE place
    UNION ALL
    SELECT NULL, p.list_page, p.page, s.ordinal FROM sync.published_page p, unnest(p.unreadable_after) AS s (ordinal)
    WHERE p.walk_id = $1::bigint AND NOT p.is_superseded
  ) item
), seen AS MATERIALIZED (
  SELECT id, position FROM numbered WHERE id IS NOT NULL
), listed AS MATERIALIZED (
  SELECT id, position, unread FROM (
    SELECT id, position, false AS unread FROM seen
    UNION ALL
    SELECT id, position, true FROM itunes.chart_entry
    WHERE (country, media, feed, type) = (($2::text[])[1], ($2::text[])[2], ($2::text[])[3], ($2::text[])[4])
      AND id NOT IN (SELECT id FROM seen)
      AND EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
  ) placed ORDER BY position, unread, id
)
