-- Sets the hash of documents to zeros. No document has this hash, so the next run writes the documents again. The last
-- byte is the mapping's version. Vanished documents keep their hash, because no run fetches them.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 keys bigint[], $2 scope text[], $3 version integer
WITH noted AS (
  -- All writers lock rows in the order of keys, so that they never deadlock.
  SELECT /* key */ AS key FROM /* table */ d
  WHERE /* in scope */ AND /* of-keys */ AND NOT (/* vanished */) ORDER BY 1 FOR NO KEY UPDATE OF d
), written AS (
  UPDATE /* table */ d SET content_hash = set_byte(decode(repeat('00', 33), 'hex'), 32, $3::integer)
  FROM noted AS wanted WHERE /* in scope */ AND /* has key */
  RETURNING 1
)
SELECT CASE WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM noted) THEN '/* table */' END AS dropped_by
