-- The chart that publishing the walk would produce. If an id occurs twice, only its first place counts.
place AS (
  SELECT DISTINCT ON (s.id) s.id, p.list_page, p.page AS reading, s.ordinal
  FROM sync.walk_page p, unnest(p.keys) WITH ORDINALITY AS s (id, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.id, p.list_page, p.page DESC, s.ordinal
), listed AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY list_page, reading DESC, ordinal)::integer AS position FROM place
  ORDER BY position
)
