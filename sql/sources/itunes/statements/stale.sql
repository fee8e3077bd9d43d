-- Like templates/stale.sql, but sorted by id first, because the id has an index and the key has none. The order is the
-- same, because a key begins with the id.
-- $1 scope text[], $2 version integer, $3 after this key bigint, $4 limit integer
SELECT /* key */, (/* document */)::text, d.content_hash
FROM /* table */ d
WHERE /* in scope */ AND d.id >= itunes.key_id($3::bigint) AND /* key */ > $3::bigint
  AND get_byte(d.content_hash, length(d.content_hash) - 1) <> $2::integer
ORDER BY d.id, /* key */
LIMIT $4::integer
FOR NO KEY UPDATE OF d
