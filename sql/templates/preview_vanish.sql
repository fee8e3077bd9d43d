-- Previews vanish.sql: the items that would be marked as vanished.
-- $1 keys bigint[], $2 scope text[], $3 time bigint of the first look-up
SELECT /* key */, /* title */, NULL AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NULL
  AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
ORDER BY /* key */
