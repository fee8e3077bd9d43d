-- Marks items as vanished, unless the mirror's row is newer. Returns the number of marked items. Derived rows stay.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 keys bigint[], $2 scope text[], $3 time bigint of the first look-up
WITH gone AS (
  -- All writers lock rows in the order of keys, so that they never deadlock.
  SELECT /* key */ AS key FROM /* table */ d /* counters */
  WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NULL
    AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
  ORDER BY 1
  FOR NO KEY UPDATE OF d
), marked AS (
  UPDATE /* table */ d
  SET vanished_at = sync.write_time(wanted.key), changed_at = sync.write_time(wanted.key),
      requested_at = sync.request_time($3)
  FROM gone AS wanted WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT count(*), CASE WHEN count(*) < (SELECT count(*) FROM gone) THEN '/* table */' END AS dropped_by FROM marked
