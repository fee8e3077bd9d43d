-- Marks items as vanished whose own address said so, except newer ones. Returns their number. Derived rows stay.
-- `dropped_by` is the table that did not store its rows.
-- $1 keys bigint[], $2 scope text[], $3 the request time bigint of the first address
WITH gone AS (
  -- Locked in the order of keys, as all writers do.
  SELECT /* key */ AS key FROM /* table */ d /* counters */
  WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NULL
    AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
  ORDER BY 1
  FOR NO KEY UPDATE OF d
), marked AS (
  UPDATE /* table */ d
  SET vanished_at = clock_timestamp(), changed_at = clock_timestamp(), requested_at = sync.request_time($3)
  FROM gone WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT count(*), CASE WHEN count(*) < (SELECT count(*) FROM gone) THEN '/* table */' END AS dropped_by FROM marked
