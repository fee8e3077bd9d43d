-- Stores the counts of genres that are otherwise unchanged, unless the stored row is newer. Rows are locked in the
-- order of keys, so that writers never deadlock. Returns the written keys.
-- $1 keys bigint[], $2 counter hashes bigint[], $3 counters text[], $4 scope text[] (kind, facet), $5 times bigint[]
WITH item AS MATERIALIZED (
  SELECT i.mal_id, i.counter_hash, i.counters::jsonb AS raw, sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $5::bigint[]) AS i (mal_id, counter_hash, counters, requested)
  JOIN jikan.genre g ON g.kind = ($4::text[])[1] AND g.facet = ($4::text[])[2] AND g.mal_id = i.mal_id
  WHERE NOT sync.is_newer(g.requested_at, sync.request_time(i.requested))
  ORDER BY i.mal_id
  FOR NO KEY UPDATE OF g
), derived AS (
/* columns */
)
UPDATE jikan.genre g
SET count = derived.count, counter_hash = derived.counter_hash, raw = jikan.with_counters(g.raw, derived.raw),
    requested_at = derived.requested_at, count_changed_at = sync.write_time(g.mal_id)
FROM derived
WHERE g.kind = ($4::text[])[1] AND g.facet = ($4::text[])[2] AND g.mal_id = derived.mal_id
RETURNING g.mal_id AS key
