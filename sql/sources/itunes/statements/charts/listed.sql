-- The chart that publishing the walk would produce. If the walk met entries without a readable id, the published entries
-- that the walk did not meet keep their positions and are marked as unread.
seen AS MATERIALIZED (
  /* seen by first page */
), listed AS MATERIALIZED (
  SELECT id, position, unread FROM (
    SELECT key AS id, position, false AS unread FROM seen
    UNION ALL
    SELECT id, position, true FROM itunes.chart_entry
    WHERE (country, media, feed, type) = (($2::text[])[1], ($2::text[])[2], ($2::text[])[3], ($2::text[])[4])
      AND id NOT IN (SELECT key FROM seen)
      AND /* has unreadable */
  ) placed ORDER BY position, unread, id
)
