-- Every so many documents a key: between them, documents are verified side by side.
-- $1 scope text[], $2 how many bigint
SELECT key FROM (
  SELECT /* key */ AS key, row_number() OVER (ORDER BY /* order */) AS place FROM /* table */ d WHERE /* in scope */
) numbered
WHERE place % $2::bigint = 0 ORDER BY place
