-- The results that publishing a search's walk would produce: the items that the walk met, in the walk's order. If the walk
-- met items without a readable id, the published results that the walk did not meet keep their positions and are marked
-- as unread.
seen AS MATERIALIZED (
  /* seen by first page */
), listed AS MATERIALIZED (
  SELECT key, itunes.key_class(key) AS class, itunes.key_id(key) AS id, position, unread FROM (
    SELECT key, position, false AS unread FROM seen
    UNION ALL
    SELECT itunes.key(class, id), position, true FROM itunes.search_result
    WHERE ($2::text[])[2] = 'search' AND search = ($2::text[])[3] AND country = ($2::text[])[1]
      AND itunes.key(class, id) NOT IN (SELECT key FROM seen)
      AND /* has unreadable */
  ) placed ORDER BY position, unread, key
)
