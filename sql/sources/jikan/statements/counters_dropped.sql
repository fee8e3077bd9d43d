-- Checks why counters were not written. If the table has newer counters for all items, nothing is wrong. Otherwise the
-- table discarded counters, e.g. because of a trigger, and the statement returns the table's name.
-- $1 keys bigint[], $2 scope text[] (kind, …), $3 request times bigint[]
SELECT 'jikan.media_counters' AS dropped_by
FROM unnest($1::bigint[], $3::bigint[]) AS sent (key, requested)
WHERE NOT EXISTS (
  SELECT FROM jikan.media_counters
  WHERE kind = ($2::text[])[1] AND mal_id = key
    AND sync.is_newer(requested_at, sync.request_time(requested)))
LIMIT 1
