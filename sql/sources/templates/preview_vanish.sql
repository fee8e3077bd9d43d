-- Which items would be marked as gone: those that nobody has written since their addresses were asked.
-- $1 keys bigint[], $2 scope text[], $3 seconds since the addresses were asked
SELECT /* key */, /* title */, NULL AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NULL
  AND (/* changed at */ > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY /* key */
