-- The vanished items that were met again and would return, although nothing else in them changes.
-- $1 keys bigint[], $2 scope text[], $3 seconds since they were requested
SELECT /* key */, /* title */, to_jsonb(d.vanished_at)::text AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL
  AND (/* changed at */ > transaction_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY /* key */
