-- All registered jobs with their latest runs. `interrupted` means that the lease of the running job has expired.
-- `error` and `run_id` concern the run that is being retried. If no run is retried, they concern the latest ended run.
-- `error` is the error of the stream run `run_id`. The stream run whose error the job run has recorded is preferred. If
-- no stream run failed, or if it was interrupted (a timeout), `error` is the error of the job run. A stream run is
-- omitted if any later run has completed its stream. `held` means that a safety guard stopped a stream of the latest
-- ended run.
SELECT j.name AS job, j.source, to_json(j.streams) AS streams, j.schedule, j.time_zone,
       CASE WHEN open.state = 'running' AND open.lease_expires_at <= clock_timestamp() THEN 'interrupted'
            WHEN open.state = 'running' THEN 'running' WHEN j.paused_at IS NOT NULL THEN 'paused'
            WHEN open.state = 'waiting' THEN 'waiting' ELSE 'idle' END AS state,
       open.nominal_at AS open_nominal_at, open.due_at, open.attempts, open.owner->>'host' AS worker,
       last.nominal_at AS last_nominal_at, last.outcome AS last_outcome, last.ended_at AS last_ended_at,
       round(extract(epoch FROM last.ended_at - last.started_at), 1) AS last_seconds,
       last.error AS last_error, j.paused_at, j.scheduled_until,
       CASE WHEN failed.is_resolved THEN NULL WHEN failed.id IS NULL OR failed.is_unexplained THEN problem.error
            ELSE failed.error END AS error,
       CASE WHEN NOT failed.is_resolved THEN failed.id END AS run_id,
       last.outcome = 'failed' AND EXISTS (
         SELECT FROM sync.run h
         WHERE h.job = j.name AND h.job_nominal_at = last.nominal_at AND sync.run_held(h.status, h.guarded, h.error)
       ) AS held
FROM sync.job j
LEFT JOIN LATERAL (
  SELECT * FROM sync.job_run r WHERE r.job = j.name AND r.state <> 'ended'
  ORDER BY r.state, r.nominal_at LIMIT 1
) open ON true
LEFT JOIN LATERAL (
  SELECT * FROM sync.job_run r WHERE r.job = j.name AND r.state = 'ended' AND r.outcome <> 'superseded'
  ORDER BY r.ended_at DESC LIMIT 1
) last ON true
CROSS JOIN LATERAL (
  SELECT CASE WHEN open.error IS NOT NULL THEN open.nominal_at
              WHEN last.outcome <> 'done' THEN last.nominal_at END AS nominal_at,
         coalesce(open.error, CASE WHEN last.outcome <> 'done' THEN last.error END) AS error
) problem
LEFT JOIN LATERAL (
  SELECT f.id, f.error,
         f.status = 'interrupted' AND bool_and(f.error IS DISTINCT FROM problem.error) OVER () AS is_unexplained,
         EXISTS (
           SELECT FROM sync.run c
           WHERE c.source = f.source AND c.stream = f.stream AND c.status IN ('complete', 'unproven', 'inconsistent')
             AND c.started_at > f.started_at) AS is_resolved
  FROM sync.run f
  WHERE f.job = j.name AND f.job_nominal_at = problem.nominal_at AND f.status IN ('failed', 'partial', 'interrupted')
    AND f.certificate->>'ended_by' IS DISTINCT FROM 'ignored'
  ORDER BY is_resolved, f.error IS DISTINCT FROM problem.error, f.started_at DESC LIMIT 1
) failed ON true
ORDER BY j.name
