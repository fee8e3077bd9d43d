-- Stores new and changed genres, unless the stored row is newer. Rows are written in the order of keys, so that writers
-- never deadlock. If $7 is true, stored genres are derived again: only derived columns change.
-- Returns for each written genre whether it is new.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents text[], $5 scope text[] (kind,
-- facet), $6 request times bigint[], $7 whether to derive stored rows again
WITH item AS MATERIALIZED (
  -- Casting each document alone is twice as fast as casting the array.
  SELECT ($5::text[])[1] AS kind, ($5::text[])[2] AS facet, i.mal_id, i.content_hash, i.counter_hash, i.raw::jsonb AS raw,
         sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (mal_id, content_hash, counter_hash, raw, requested)
), derived AS (
/* columns */
), written AS (
  INSERT INTO jikan.genre AS g
    (kind, facet, mal_id, name, url, count, raw, content_hash, counter_hash, requested_at, count_changed_at)
  SELECT kind, facet, mal_id, name, url, count, raw, content_hash, counter_hash, requested_at, clock_timestamp()
  FROM derived
  ORDER BY mal_id
  ON CONFLICT (kind, facet, mal_id) DO UPDATE SET
    name = excluded.name, url = excluded.url, raw = excluded.raw, content_hash = excluded.content_hash,
    requested_at = CASE WHEN $7 THEN g.requested_at ELSE excluded.requested_at END,
    count = excluded.count,
    counter_hash = CASE WHEN $7 THEN g.counter_hash ELSE excluded.counter_hash END,
    count_changed_at = CASE WHEN $7 OR g.counter_hash = excluded.counter_hash
                            THEN g.count_changed_at ELSE excluded.count_changed_at END,
    -- Documents are compared instead of hashes, because another mapping version or number format also changes the hash.
    changed_at = CASE WHEN $7 OR CASE WHEN jsonb_typeof(g.raw) = 'object'
                                      THEN g.raw - 'count' = excluded.raw - 'count' END
                      THEN g.changed_at ELSE sync.write_time(excluded.mal_id) END
  WHERE $7 OR NOT sync.is_newer(g.requested_at, excluded.requested_at)
  RETURNING g.mal_id AS key, g.xmax = 0 AS is_new, NULL::boolean AS has_counters
)
SELECT key, is_new, has_counters FROM written
