-- The results that publishing a search's walk would produce: the items that the walk met, in the walk's order.
place AS (
  -- If a key is on several pages, the first page counts. If the page was read several times, its last reading counts.
  SELECT DISTINCT ON (s.key) s.key, p.list_page, p.page AS reading, s.ordinal
  FROM sync.walk_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.list_page, p.page DESC, s.ordinal
), listed AS MATERIALIZED (
  SELECT key, itunes.key_class(key) AS class, itunes.key_id(key) AS id,
         row_number() OVER (ORDER BY list_page, reading DESC, ordinal)::integer AS position
  FROM place
  ORDER BY position
)
