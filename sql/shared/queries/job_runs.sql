-- How the latest run of each stream ended in one run of a job.
-- $1 job, $2 its nominal time in seconds since 1970, $3 the stream that stands for a look at the source's index
SELECT DISTINCT ON (source, stream) source, stream, status FROM sync.run
WHERE job = $1 AND job_nominal_at = to_timestamp($2) AND stream <> $3
ORDER BY source, stream, started_at DESC
