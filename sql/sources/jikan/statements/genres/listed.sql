-- The genres that a walk met. If the walk met a genre without a readable id, all stored genres are included.
listed AS MATERIALIZED (
  SELECT key, row_number() OVER (ORDER BY key)::integer AS position
  FROM (
    SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
    UNION
    SELECT mal_id FROM jikan.genre
    WHERE kind = ($2::text[])[1] AND facet = ($2::text[])[2]
      AND /* has unreadable */
  ) seen
)
