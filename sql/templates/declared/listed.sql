-- The list that publishing the walk would produce. If the walk met items without a readable id, the published entries that
-- the walk did not meet keep their positions and are marked as unread.
seen AS MATERIALIZED (
  /* seen by latest reading */
), listed AS MATERIALIZED (
  SELECT key, position, unread FROM (
    SELECT key, position, false AS unread FROM seen
    UNION ALL
    SELECT syncctl_key, position, true FROM /* list table */
    WHERE syncctl_key NOT IN (SELECT key FROM seen) AND /* has unreadable */
  ) placed ORDER BY position, unread, key
)
