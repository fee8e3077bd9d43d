-- For each job: the delay of its oldest waiting run, whether a run is in progress, the time of its last success,
-- whether it is paused, the time of its registration, and its latest error.
SELECT j.name,
       coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(r.due_at)))::double precision
                 FROM sync.job_run r WHERE r.job = j.name AND r.state = 'waiting'
                   AND (j.paused_at IS NULL OR r.triggered_by = 'person')), 0),
       EXISTS (SELECT FROM sync.job_run r
               WHERE r.job = j.name AND r.state = 'running' AND r.lease_expires_at > clock_timestamp()),
       (SELECT extract(epoch FROM max(r.ended_at))::double precision FROM sync.job_run r
        WHERE r.job = j.name AND r.state = 'ended' AND r.outcome = 'done'),
       j.paused_at IS NOT NULL, extract(epoch FROM j.registered_at)::double precision,
       (SELECT r.error FROM sync.job_run r
        WHERE r.job = j.name AND (r.state = 'ended' AND r.outcome <> 'superseded' OR r.failures > 0)
        ORDER BY r.nominal_at DESC LIMIT 1)
FROM sync.job j ORDER BY j.name
