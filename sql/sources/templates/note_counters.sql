-- Has the next run write counters again, whatever it fetches: -1 is the hash of none.
-- $1 keys bigint[], $2 scope text[]
WITH noted AS (
  -- Locked in the order of keys, as all writers do.
  SELECT /* key */ AS key FROM /* counters table */ d WHERE /* in scope */ AND /* of-keys */ ORDER BY 1
  FOR NO KEY UPDATE OF d
)
UPDATE /* counters table */ d SET counter_hash = -1
FROM noted WHERE /* in scope */ AND /* has key */
