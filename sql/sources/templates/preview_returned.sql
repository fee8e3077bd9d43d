-- Which vanished items would be brought back that were met again, though nothing else of them changes.
-- $1 keys bigint[], $2 scope text[], $3 seconds since they were asked for
SELECT /* key */, /* title */, to_jsonb(d.vanished_at)::text AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL
  AND (/* changed at */ > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY /* key */
