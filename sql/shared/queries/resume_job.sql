-- Resumes a job. Scheduled times during the pause are skipped.
-- $1 job
UPDATE sync.job SET paused_at = NULL, scheduled_until = clock_timestamp()
WHERE name = $1 AND paused_at IS NOT NULL
