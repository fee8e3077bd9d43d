-- Resumes a job. Times that have passed meanwhile are not made up for.
-- $1 job
UPDATE sync.job SET paused_at = NULL, scheduled_until = clock_timestamp()
WHERE name = $1 AND paused_at IS NOT NULL
