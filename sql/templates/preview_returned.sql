-- Previews returned.sql: the vanished items that would become live again.
-- $1 keys bigint[], $2 scope text[], $3 their request time bigint
SELECT /* key */, /* title */, to_jsonb(d.vanished_at)::text AS vanished_at
FROM /* table */ d /* counters */
WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL
  AND NOT sync.is_newer(/* requested at */, sync.request_time($3))
ORDER BY /* key */
