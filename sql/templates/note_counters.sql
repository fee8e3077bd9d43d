-- Sets the hash of counters to -1, which no counters have, so that the next run writes the counters again.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 keys bigint[], $2 scope text[]
WITH noted AS (
  -- All writers lock rows in the order of keys, so that they never deadlock.
  SELECT /* key */ AS key FROM /* counters table */ d WHERE /* in scope */ AND /* of-keys */ ORDER BY 1
  FOR NO KEY UPDATE OF d
), written AS (
  UPDATE /* counters table */ d SET counter_hash = -1
  FROM noted AS wanted WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM noted) THEN '/* counters table */' END
  AS dropped_by
