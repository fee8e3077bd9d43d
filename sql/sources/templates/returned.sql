-- Makes vanished items live that were met again with an unusable or unchanged document: their stored document stays.
-- `dropped_by` is the table that did not store its rows.
-- $1 keys bigint[], $2 scope text[], $3 their request time bigint
WITH back AS (
  SELECT /* key */ AS key FROM /* table */ d /* counters */
  WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL
    AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
  ORDER BY 1
  -- The transaction already holds locks on other items, and must not wait for one more. The session that holds the lock
  -- makes the item live too, or the next page with it does.
  FOR NO KEY UPDATE OF d SKIP LOCKED
), returned AS (
  UPDATE /* table */ d
  SET vanished_at = NULL, changed_at = clock_timestamp(), requested_at = sync.request_time($3)
  FROM back WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM returned) < (SELECT count(*) FROM back) THEN '/* table */' END AS dropped_by
