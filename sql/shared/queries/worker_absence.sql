-- Since when no worker is at work, and now, in seconds since 1970. No row if a worker is at work, if none was ever recorded, or
-- without a job. A worker is at work until it has stopped or its last tick is older than twice its interval. A tick far in the
-- future proves nothing: the clock was set back since.
WITH clock AS (SELECT clock_timestamp() AS now)
SELECT extract(epoch FROM least(c.now, max(greatest(w.last_tick_at, w.stopped_at))))::double precision AS since,
       extract(epoch FROM c.now)::double precision AS now
FROM clock c CROSS JOIN sync.worker w
WHERE EXISTS (SELECT FROM sync.job)
GROUP BY c.now
HAVING NOT bool_or(w.stopped_at IS NULL AND w.last_tick_at BETWEEN
  c.now - make_interval(secs => w.tick_seconds * 2) AND c.now + make_interval(secs => w.tick_seconds * 2))
