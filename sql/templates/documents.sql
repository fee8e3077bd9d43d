-- Stored documents, locked until the caller has written them again.
-- $1 keys bigint[], $2 scope text[]
SELECT /* key */, (/* document */)::text, d.content_hash
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* of-keys */
ORDER BY /* key */
FOR NO KEY UPDATE OF d
