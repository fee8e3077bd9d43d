-- For one run of a job: the status of each stream's latest run, and whether that run or a later one was complete.
-- $1 job, $2 nominal time of its run in seconds since 1970, $3 name of the stream that represents the source's index
SELECT DISTINCT ON (r.source, r.stream) r.source, r.stream, r.status, coalesce(s.last_complete_at >= r.started_at, false)
FROM sync.run r LEFT JOIN sync.stream_state s ON s.source = r.source AND s.stream = r.stream
WHERE r.job = $1 AND r.job_nominal_at = to_timestamp($2) AND r.stream <> $3
ORDER BY r.source, r.stream, r.started_at DESC
