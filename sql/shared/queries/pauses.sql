-- The origins that have demanded a pause, and when it ends, in seconds since 1970.
SELECT origin, extract(epoch FROM clock_timestamp())::double precision + sync.pause_left(origin)::double precision / 1e6
FROM sync.rate_budget WHERE sync.pause_left(origin) > 0
