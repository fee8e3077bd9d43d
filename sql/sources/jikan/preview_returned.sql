-- Which vanished items would be brought back that were met again, though nothing else of them changes.
-- $1 keys bigint[], $2 scope text[] (kind, …), $3 seconds since they were asked for
SELECT m.mal_id, m.title, to_jsonb(m.vanished_at)::text AS vanished_at
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = ($2::text[])[1] AND m.mal_id = ANY ($1::bigint[]) AND m.vanished_at IS NOT NULL
  AND (greatest(m.changed_at, c.changed_at) > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY m.mal_id
