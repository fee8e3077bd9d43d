-- Which documents would be marked as gone: those that nobody has written since their addresses were asked.
-- $1 keys bigint[], $2 scope text[] (endpoint), $3 seconds since the addresses were asked
SELECT r.id, r.name, NULL AS vanished_at
FROM pokeapi.resource r
WHERE r.endpoint = ($2::text[])[1] AND r.id = ANY ($1::bigint[]) AND r.vanished_at IS NULL
  AND (r.changed_at > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY r.id
