-- Of counters that were sent with their documents and not written: the table, if one of them is not newer either.
-- $1 keys bigint[], $2 scope text[] (kind, …), $3 seconds since the items were requested
SELECT 'jikan.media_counters' AS dropped_by
FROM unnest($1::bigint[]) AS key
WHERE NOT EXISTS (
  SELECT FROM jikan.media_counters
  WHERE kind = ($2::text[])[1] AND mal_id = key AND changed_at > transaction_timestamp() - make_interval(secs => $3))
LIMIT 1
