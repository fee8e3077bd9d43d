-- Returns the time when a worker was last active, and the current time, in seconds since 1970. The first time is NULL
-- if no worker has ever run.
-- Returns no row if a worker is active or no job exists. Also returns no row if jobs ran but no worker is recorded,
-- because earlier versions of syncctl recorded no workers.
-- A worker is active until it stops or its last tick is older than two intervals. A last tick more than two intervals
-- in the future means that the clock was set back; the worker is then not active.
-- $1 whether the configuration contains jobs, even if none is stored
WITH clock AS (SELECT clock_timestamp() AS now)
SELECT CASE WHEN count(w.id) > 0
         THEN extract(epoch FROM least(c.now, max(greatest(w.last_tick_at, w.stopped_at))))::double precision END AS since,
       extract(epoch FROM c.now)::double precision AS now
FROM clock c LEFT JOIN sync.worker w ON true
WHERE $1 OR EXISTS (SELECT FROM sync.job)
GROUP BY c.now
HAVING NOT CASE WHEN count(w.id) = 0 THEN EXISTS (SELECT FROM sync.job_run WHERE state <> 'waiting') ELSE
  bool_or(w.stopped_at IS NULL AND w.last_tick_at BETWEEN
  c.now - make_interval(secs => w.tick_seconds * 2) AND c.now + make_interval(secs => w.tick_seconds * 2)) END
