-- Which vanished items would be brought back that were met again, though nothing else of them changes.
-- $1 keys bigint[], $2 scope text[] (country, …), $3 seconds since they were asked for
SELECT key, i.title, to_jsonb(i.vanished_at)::text AS vanished_at
FROM itunes.item i JOIN unnest($1::bigint[]) AS key ON i.class = itunes.key_class(key) AND i.id = itunes.key_id(key)
WHERE i.country = ($2::text[])[1] AND i.vanished_at IS NOT NULL
  AND (i.changed_at > statement_timestamp() - make_interval(secs => $3)) IS NOT TRUE
ORDER BY key
