-- The items that would be marked as vanished: those that were not written since their addresses were requested.
-- $1 keys bigint[], $2 scope text[], $3 seconds since the addresses were requested
SELECT /* key */, /* title */, NULL AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NULL
  AND (/* changed at */ > transaction_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY /* key */
