-- The results that publishing a search's walk would produce: the items that the walk met, in the walk's order. Positions
-- count items without a readable id. If there are such items, the published results that the walk did not meet keep
-- their positions and are marked as unread.
place AS (
  -- If a key is on several pages, the first page counts. If the page was read several times, its last reading counts.
  SELECT DISTINCT ON (s.key) s.key, p.list_page, p.page AS reading, s.ordinal
  FROM sync.walk_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.list_page, p.page DESC, s.ordinal
), numbered AS (
  SELECT key, row_number() OVER (ORDER BY list_page, reading DESC, ordinal, key IS NULL)::integer AS position
  FROM (
    TABLE place
    UNION ALL
    SELECT NULL, p.list_page, p.page, s.ordinal FROM sync.published_page p, unnest(p.unreadable_after) AS s (ordinal)
    WHERE p.walk_id = $1::bigint AND NOT p.is_superseded
  ) item
), seen AS MATERIALIZED (
  SELECT key, position FROM numbered WHERE key IS NOT NULL
), listed AS MATERIALIZED (
  SELECT key, itunes.key_class(key) AS class, itunes.key_id(key) AS id, position, unread FROM (
    SELECT key, position, false AS unread FROM seen
    UNION ALL
    SELECT itunes.key(class, id), position, true FROM itunes.search_result
    WHERE ($2::text[])[2] = 'search' AND search = ($2::text[])[3] AND country = ($2::text[])[1]
      AND itunes.key(class, id) NOT IN (SELECT key FROM seen)
      AND EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
  ) placed ORDER BY position, unread, key
)
