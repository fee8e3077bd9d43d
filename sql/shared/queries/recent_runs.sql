-- The latest runs that are not part of a job, the latest first. `run_id` is the id of their command.
-- $1 limit
SELECT source, stream, coalesce(invocation_id, id)::text AS run_id, started_at,
       sync.run_status(status, source, stream) AS status, sync.run_held(status, guarded, error) AS held
FROM sync.run WHERE job IS NULL ORDER BY started_at DESC, id LIMIT $1
