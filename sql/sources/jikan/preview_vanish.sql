-- Which items would be marked as gone: those that nobody has written since their addresses were asked.
-- $1 keys bigint[], $2 scope text[] (kind), $3 seconds since the addresses were asked
SELECT m.mal_id, m.title, NULL AS vanished_at
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = ($2::text[])[1] AND m.mal_id = ANY ($1::bigint[]) AND m.vanished_at IS NULL
  AND (greatest(m.changed_at, c.changed_at) > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY m.mal_id
