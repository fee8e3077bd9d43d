-- Stores documents, unless the stored row is newer. The typed columns are generated from raw. Rows are written in the
-- order of keys, so that writers never deadlock. If $7 is true, the statement only writes stored documents again.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents text[], $5 scope text[],
-- $6 request times bigint[], $7 whether to derive stored rows again
WITH item AS MATERIALIZED (
  -- Rows that need no write are filtered out, because ON CONFLICT would lock them.
  SELECT key, i.content_hash, i.counter_hash, i.raw::jsonb AS raw, sync.request_time(i.requested) AS requested_at,
         NOT $7 AND /* counters differ */ AS counters_differ
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (key, content_hash, counter_hash, raw, requested)
  /* look-up */
  WHERE $7 OR NOT sync.is_newer(/* requested at */, sync.request_time(i.requested))
), documents AS (
  INSERT INTO /* table */ AS d (syncctl_key, raw, content_hash, requested_at)
  SELECT key, raw, content_hash, requested_at FROM item ORDER BY key
  ON CONFLICT (syncctl_key) DO UPDATE SET
    raw = CASE WHEN /* document noted */ OR /* same key */ THEN excluded.raw END,
    content_hash = excluded.content_hash,
    requested_at = CASE WHEN $7 THEN d.requested_at ELSE excluded.requested_at END,
    vanished_at = CASE WHEN $7 THEN d.vanished_at END,
    changed_at = CASE
      WHEN $7 OR d.vanished_at IS NULL AND CASE WHEN jsonb_typeof(d.raw) = 'object'
             THEN d.raw - /* counter names */ = excluded.raw - /* counter names */ END
      THEN d.changed_at ELSE sync.write_time(excluded.syncctl_key) END
  -- Another writer may have stored a newer row after the filter above.
  WHERE $7 OR NOT sync.is_newer(d.requested_at, excluded.requested_at)
  RETURNING d.syncctl_key AS key, d.xmax = 0 AS is_new
)/* counters part */
SELECT key, is_new, /* has counters */ AS has_counters FROM documents JOIN item USING (key) /* counters join */
