-- The vanished items that were met again and would return, although nothing else in them changes.
-- $1 keys bigint[], $2 scope text[], $3 their request time bigint
SELECT /* key */, /* title */, to_jsonb(d.vanished_at)::text AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL
  AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
ORDER BY /* key */
