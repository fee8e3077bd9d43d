-- The latest runs of each job, the latest first. `held` means that a safety guard stopped a stream of the run.
-- $1 number of runs of each job
SELECT j.name AS job, CASE WHEN r.state = 'ended' THEN r.outcome ELSE r.state END AS status,
       coalesce(r.started_at, r.due_at) AS started_at,
       (SELECT coalesce(s.invocation_id, s.id)::text FROM sync.run s
        WHERE s.job = r.job AND s.job_nominal_at = r.nominal_at ORDER BY s.started_at DESC LIMIT 1) AS run_id,
       r.outcome = 'failed' AND EXISTS (
         SELECT FROM sync.run h
         WHERE h.job = r.job AND h.job_nominal_at = r.nominal_at AND sync.run_held(h.status, h.guarded, h.error)
       ) AS held
FROM sync.job j CROSS JOIN LATERAL (
  SELECT * FROM sync.job_run r WHERE r.job = j.name AND r.outcome IS DISTINCT FROM 'superseded'
  ORDER BY r.nominal_at DESC LIMIT $1
) r
ORDER BY j.name, r.nominal_at DESC
