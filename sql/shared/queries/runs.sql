-- The latest runs, newest first. `held` means that a safety guard stopped the run.
-- $1 limit, $2 whether to return only runs with a failure, an error or missing pages. NULL selects all: $3 sources
-- text[], $4 streams text[], $5 job, $6 earliest start. $7 and $8 time and id to continue after, NULL to begin,
-- $9 rows to skip
WITH found AS NOT MATERIALIZED (
  SELECT * FROM sync.run
  WHERE (NOT $2::boolean OR status = 'failed' OR error IS NOT NULL OR certificate @? '$.holes[*]'
         OR certificate @? '$.unavailable[*]' OR certificate->>'ended_by' = 'loop'
         OR (certificate#>>'{lists,partial}')::integer > 0)
    AND ($3::text[] IS NULL OR source = ANY ($3)) AND ($4::text[] IS NULL OR stream = ANY ($4))
    AND ($5::text IS NULL OR job = $5)
    -- syncctl shows start times without fractions. A run must also be found if the user copies its shown start time.
    AND ($6::timestamptz IS NULL OR started_at >= date_trunc('second', $6::timestamptz))
)
SELECT id, invocation_id, source, stream, sync.run_status(status, source, stream) AS status, started_at,
       round(extract(epoch FROM finished_at - started_at), 1) AS duration_seconds,
       pages, requests, rows_seen, inserted, updated, unchanged, duplicates, quarantined, sync.run_held(status, guarded, error) AS held,
       jsonb_array_length(jsonb_path_query_array(certificate, '$.holes[*]'))
         + jsonb_array_length(jsonb_path_query_array(certificate, '$.unavailable[*]')) AS unavailable,
       error, job, started_at::text AS cursor_started_at, id AS cursor_id, (SELECT count(*) FROM found) AS page_total
FROM found
WHERE $7::timestamptz IS NULL OR started_at < $7::timestamptz
   OR started_at = $7::timestamptz AND id::text COLLATE "C" > $8::text
ORDER BY started_at DESC, id LIMIT $1::bigint OFFSET $9
