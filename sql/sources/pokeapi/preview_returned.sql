-- Which vanished documents would be brought back that were met again, though nothing else of them changes.
-- $1 keys bigint[], $2 scope text[] (endpoint), $3 seconds since they were asked for
SELECT r.id, r.name, to_jsonb(r.vanished_at)::text AS vanished_at
FROM pokeapi.resource r
WHERE r.endpoint = ($2::text[])[1] AND r.id = ANY ($1::bigint[]) AND r.vanished_at IS NOT NULL
  AND (r.changed_at > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY r.id
