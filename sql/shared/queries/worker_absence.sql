-- The time since which no worker has been active, in seconds since 1970, and the current time. There is no row if a
-- worker is active, no worker was ever recorded, or no job exists. A worker is active until it stops or its last tick
-- is older than two intervals. A tick far in the future is ignored, because the clock was set back.
WITH clock AS (SELECT clock_timestamp() AS now)
SELECT extract(epoch FROM least(c.now, max(greatest(w.last_tick_at, w.stopped_at))))::double precision AS since,
       extract(epoch FROM c.now)::double precision AS now
FROM clock c CROSS JOIN sync.worker w
WHERE EXISTS (SELECT FROM sync.job)
GROUP BY c.now
HAVING NOT bool_or(w.stopped_at IS NULL AND w.last_tick_at BETWEEN
  c.now - make_interval(secs => w.tick_seconds * 2) AND c.now + make_interval(secs => w.tick_seconds * 2))
