-- The items in quarantine, those last received first. NULL selects all.
-- $1 sources text[], $2 streams text[], $3 reason, $4 limit, $5 rows to skip
WITH found AS NOT MATERIALIZED (
  SELECT * FROM sync.quarantine
  WHERE ($1::text[] IS NULL OR source = ANY ($1)) AND ($2::text[] IS NULL OR stream = ANY ($2))
    AND ($3::text IS NULL OR reason = $3)
)
SELECT source, stream, item, reason, detail, count, first_at, last_at, last_run_id AS run_id, raw AS excerpt,
       (SELECT count(*) FROM found) AS page_total
FROM found ORDER BY last_at DESC, source, stream, reason, length(item), item LIMIT $4 OFFSET $5
