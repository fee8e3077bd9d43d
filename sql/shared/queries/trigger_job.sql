-- Makes the next worker run a job, unless a manually triggered run is already waiting.
-- $1 job
INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by)
-- The nominal times of a job must differ, so the new time is at least a second after the job's latest nominal time.
SELECT $1, greatest(date_trunc('second', clock_timestamp()), (SELECT max(nominal_at) + '1 s' FROM sync.job_run
                                                              WHERE job = $1)), clock_timestamp(), 'person'
WHERE NOT EXISTS (
  SELECT FROM sync.job_run WHERE job = $1 AND state = 'waiting' AND triggered_by = 'person')
ON CONFLICT DO NOTHING
RETURNING nominal_at
