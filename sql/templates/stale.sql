-- Selects and locks documents whose columns another version of the mapping has computed. The last byte of content_hash
-- is that version.
-- $1 scope text[], $2 version integer, $3 after this key bigint, $4 limit integer
SELECT /* key */, (/* document */)::text, d.content_hash
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* key */ > $3::bigint
  AND get_byte(d.content_hash, length(d.content_hash) - 1) <> $2::integer
ORDER BY /* key */
LIMIT $4::integer
FOR NO KEY UPDATE OF d
