-- Stores documents and their derived rows, but keeps stored documents that are newer. Rows are written in the order of
-- keys, so that writers never deadlock. If $7 is true, derives stored documents again and changes only derived data.
-- Returns for each written document whether it is new. has_counters is NULL, because documents have no counters.
-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[] (none), $4 documents text[], $5 scope text[]
-- (endpoint), $6 request times bigint[], $7 whether to derive stored rows again
WITH item AS MATERIALIZED (
  -- Casting each document alone is twice as fast as casting the array. Rows that need no write are filtered out,
  -- because ON CONFLICT would lock them.
  SELECT ($5::text[])[1] AS endpoint, i.id, i.content_hash, i.raw::jsonb AS raw,
         sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[], $6::bigint[])
    AS i (id, content_hash, counter_hash, raw, requested)
  -- OFFSET 0 forces one look-up for each document.
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
    -- Keeping r.raw avoids writing its bytes again, most of which are stored outside the row.
    raw = CASE WHEN r.raw = excluded.raw THEN r.raw ELSE excluded.raw END,
    requested_at = CASE WHEN $7 THEN r.requested_at ELSE excluded.requested_at END,
    vanished_at = CASE WHEN $7 THEN r.vanished_at END,
    -- Equal documents have different hashes if the mapping's version differs, so the documents are compared.
    changed_at = CASE WHEN $7 OR r.vanished_at IS NULL AND r.raw = excluded.raw
                      THEN r.changed_at ELSE sync.write_time(excluded.id) END
  -- Another writer may have stored a newer row after the filter above.
  WHERE $7 OR NOT sync.is_newer(r.requested_at, excluded.requested_at)
  RETURNING r.id, r.xmax = 0 AS is_new
)
-- Because of the aggregate, all documents are written before pokeapi.derive runs. The function sees them, because it is
-- volatile.
SELECT id AS key, is_new, NULL::boolean AS has_counters
FROM written, (
  SELECT pokeapi.derive(($5::text[])[1], array_agg(id ORDER BY id)) IS NULL FROM written HAVING count(*) > 0
) AS derivation
