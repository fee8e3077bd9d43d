-- Returns the name of the table of counters if it discarded counters, e.g. because of a trigger. Newer stored counters
-- are not discarded counters.
-- $1 keys bigint[], $2 scope text[], $3 request times bigint[]
WITH unused AS (SELECT $2::text[])
SELECT '/* counters table */' AS dropped_by
FROM unnest($1::bigint[], $3::bigint[]) AS sent (key, requested)
WHERE NOT EXISTS (
  SELECT FROM /* counters table */ c
  WHERE c.syncctl_key = key AND sync.is_newer(c.requested_at, sync.request_time(requested)))
LIMIT 1
