-- Stores the counters of items whose documents are stored, unless the stored counters are newer. Returns the written
-- keys. Rows are written in the order of keys, so that writers never deadlock.
-- $1 keys bigint[], $2 counter hashes bigint[], $3 counters text[], $4 scope text[], $5 times bigint[]
WITH unused AS (SELECT $4::text[]), item AS MATERIALIZED (
  SELECT key, i.counter_hash, i.counters::jsonb AS raw, sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $5::bigint[]) AS i (key, counter_hash, counters, requested)
  /* look-up */
  WHERE d.content_hash IS NOT NULL AND NOT sync.is_newer(/* requested at */, sync.request_time(i.requested))
), written AS (
  INSERT INTO /* counters table */ AS c (syncctl_key, raw, counter_hash, requested_at, changed_at)
  SELECT key, raw, counter_hash, requested_at, clock_timestamp() FROM item ORDER BY key
  ON CONFLICT (syncctl_key) DO UPDATE SET raw = excluded.raw, counter_hash = excluded.counter_hash,
    requested_at = excluded.requested_at, changed_at = sync.write_time(excluded.syncctl_key)
  -- Another writer may have stored a newer row after the filter above.
  WHERE NOT sync.is_newer(c.requested_at, excluded.requested_at)
  RETURNING c.syncctl_key AS key
)
SELECT key FROM written
