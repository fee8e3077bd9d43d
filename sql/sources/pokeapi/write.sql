-- Stores documents that differ, with everything derived, ordered by key against deadlocks. Newer rows stay.
-- Also derives stored ones again: only derived columns and tables change then, and the rows do not count as changed.
-- Returns for each written item whether it is new, and whether its counters were written (NULL without own counters).
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none), $4 documents text[], $5 scope text[]
-- (endpoint), $6 request times bigint[], $7 whether they are derived again
WITH item AS MATERIALIZED (
  -- Parsed one by one, because casting the array costs twice; filtered, because ON CONFLICT locks skipped rows.
  SELECT ($5::text[])[1] AS endpoint, i.id, i.content_hash, i.raw::jsonb AS raw,
         sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (id, content_hash, counter_hash, raw, requested)
  -- One look-up for each document, as in the comparison.
  LEFT JOIN LATERAL (
    SELECT content_hash, requested_at, vanished_at FROM pokeapi.resource
    WHERE endpoint = ($5::text[])[1] AND id = i.id OFFSET 0
  ) r ON true
  WHERE $7 OR (r.content_hash IS DISTINCT FROM i.content_hash OR r.vanished_at IS NOT NULL)
    AND NOT sync.is_newer(r.requested_at, sync.request_time(i.requested))
), derived AS MATERIALIZED (
/* columns */
), written AS (
  INSERT INTO pokeapi.resource AS r (endpoint, id, name, raw, content_hash, requested_at)
  SELECT endpoint, id, name, raw, content_hash, requested_at
  FROM derived
  ORDER BY id
  ON CONFLICT (endpoint, id) DO UPDATE SET
    name = excluded.name, content_hash = excluded.content_hash,
    -- An unchanged document is not written again: most of its bytes are stored outside the row.
    raw = CASE WHEN r.raw = excluded.raw THEN r.raw ELSE excluded.raw END,
    requested_at = CASE WHEN $7 THEN r.requested_at ELSE excluded.requested_at END,
    vanished_at = CASE WHEN $7 THEN r.vanished_at END,
    -- Hashes may differ only by the version; the documents decide.
    changed_at = CASE WHEN $7 OR r.vanished_at IS NULL AND r.raw = excluded.raw
                      THEN r.changed_at ELSE clock_timestamp() END
  -- For the row of a faster writer; as above.
  WHERE $7 OR NOT sync.is_newer(r.requested_at, excluded.requested_at)
  RETURNING r.id, r.xmax = 0 AS is_new
)
-- The aggregate needs all documents to be written before it returns their keys, and a volatile function sees their
-- rows.
SELECT id AS key, is_new, NULL::boolean AS has_counters
FROM written, (
  SELECT pokeapi.derive(($5::text[])[1], array_agg(id ORDER BY id)) FROM written HAVING count(*) > 0
) AS derivation
