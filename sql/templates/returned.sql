-- Makes vanished items live again if a walk met them with an unchanged or unusable document. Writes no document.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 keys bigint[], $2 scope text[], $3 their request time bigint
WITH back AS (
  SELECT /* key */ AS key FROM /* table */ d /* counters */
  WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL
    AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
  ORDER BY 1
  -- The transaction already holds locks on other items, so waiting for another lock could deadlock. The session that
  -- holds a skipped item's lock makes the item live, or the next page with the item does.
  FOR NO KEY UPDATE OF d SKIP LOCKED
), returned AS (
  UPDATE /* table */ d
  SET vanished_at = NULL, changed_at = sync.write_time(wanted.key), requested_at = sync.request_time($3)
  FROM back AS wanted WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM returned) < (SELECT count(*) FROM back) THEN '/* table */' END AS dropped_by
