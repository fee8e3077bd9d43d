-- Stores counts that differ, of genres that are otherwise the same. Locked in the order of keys, as all writers do.
-- Rows that were written after the genres were requested are newer, and stay.
-- Returns the keys that were written.
-- $1 keys bigint[], $2 counter hashes bigint[], $3 counters text[], $4 scope text[] (kind, facet),
-- $5 seconds since the list was requested
WITH item AS MATERIALIZED (
  SELECT i.mal_id, i.counter_hash, i.counters::jsonb AS raw
  FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS i (mal_id, counter_hash, counters)
  JOIN jikan.genre g ON g.kind = ($4::text[])[1] AND g.facet = ($4::text[])[2] AND g.mal_id = i.mal_id
  WHERE (greatest(g.changed_at, g.count_changed_at)
         > transaction_timestamp() - make_interval(secs => $5)) IS NOT TRUE
  ORDER BY i.mal_id
  FOR NO KEY UPDATE OF g
), derived AS (
/* columns */
)
UPDATE jikan.genre g
SET count = derived.count, counter_hash = derived.counter_hash, raw = jikan.with_counters(g.raw, derived.raw),
    count_changed_at = clock_timestamp()
FROM derived
WHERE g.kind = ($4::text[])[1] AND g.facet = ($4::text[])[2] AND g.mal_id = derived.mal_id
RETURNING g.mal_id AS key
