-- $1 keys bigint[], $2 content hashes bytea[], $3 counter hashes bigint[], $4 documents jsonb[], $5 scope text[],
-- $6 request times bigint[], $7 whether stored documents are derived again
WITH item AS (
  SELECT i.*, sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::jsonb[], $6::bigint[])
    AS i (id, content_hash, counter_hash, raw, requested)
  WHERE $5::text[] IS NOT NULL
), derived AS (
/* columns */
)
INSERT INTO books.book AS b (id, title, raw, content_hash, requested_at)
SELECT id, title, raw, content_hash, requested_at FROM derived ORDER BY id
ON CONFLICT (id) DO UPDATE SET
  title = excluded.title, raw = excluded.raw, content_hash = excluded.content_hash,
  requested_at = CASE WHEN $7 THEN b.requested_at ELSE excluded.requested_at END,
  changed_at = CASE WHEN $7 OR b.raw = excluded.raw THEN b.changed_at ELSE clock_timestamp() END
WHERE $7 OR NOT sync.is_newer(b.requested_at, excluded.requested_at)
RETURNING b.id AS key, b.xmax = 0 AS is_new, NULL::boolean AS has_counters
