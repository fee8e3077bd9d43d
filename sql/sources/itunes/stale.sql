-- As the template, but along the index of ids: a key is the id followed by the number of the class, so both are in one
-- order. By the keys alone, each batch would read and sort all items of the storefront.
-- $1 scope text[], $2 version integer, $3 behind this key bigint, $4 at most so many integer
SELECT /* key */, (/* document */)::text
FROM /* table */ d
WHERE /* in scope */ AND d.id >= itunes.key_id($3::bigint) AND /* key */ > $3::bigint
  AND get_byte(d.content_hash, length(d.content_hash) - 1) <> $2::integer
ORDER BY d.id, /* key */
LIMIT $4::integer
FOR NO KEY UPDATE OF d
