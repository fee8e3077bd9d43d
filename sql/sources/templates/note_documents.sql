-- Has the next run write documents again, whatever it fetches: a hash of zeros equals none. The last byte is the version of
-- the mapping.
-- $1 keys bigint[], $2 scope text[], $3 version integer
WITH noted AS (
  -- Locked in the order of keys, as all writers do.
  SELECT /* key */ AS key FROM /* table */ d WHERE /* in scope */ AND /* of-keys */ ORDER BY 1 FOR NO KEY UPDATE OF d
)
UPDATE /* table */ d SET content_hash = set_byte(decode(repeat('00', 33), 'hex'), 32, $3::integer)
FROM noted WHERE /* in scope */ AND /* has key */
