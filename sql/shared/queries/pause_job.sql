-- Pauses a job. Its scheduled runs that were never attempted end as superseded.
-- $1 job
WITH waiting AS (
  UPDATE sync.job_run SET state = 'ended', outcome = 'superseded', ended_at = clock_timestamp()
  WHERE job = $1 AND state = 'waiting' AND triggered_by = 'schedule' AND attempts = 0
)
UPDATE sync.job SET paused_at = clock_timestamp() WHERE name = $1 AND paused_at IS NULL
