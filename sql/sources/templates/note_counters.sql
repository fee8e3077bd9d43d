-- Makes the next run write counters again: -1 is the hash of no counters.
-- `dropped_by` is the table that did not store its rows.
-- $1 keys bigint[], $2 scope text[]
WITH noted AS (
  -- Locked in the order of keys, as all writers do.
  SELECT /* key */ AS key FROM /* counters table */ d WHERE /* in scope */ AND /* of-keys */ ORDER BY 1
  FOR NO KEY UPDATE OF d
), written AS (
  UPDATE /* counters table */ d SET counter_hash = -1
  FROM noted WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM noted) THEN '/* counters table */' END
  AS dropped_by
