-- The number of used requests in each window of the rate limits, and the end of the service's pause. Future permits
-- are not counted. Another process can have a higher limit, so the number is capped at this process's limit.
-- $1 to $4 have one element for each window: source, origin, requests (0 for no limit), and length in microseconds
SELECT w.source, w.origin, CASE WHEN w.requests > 0 THEN least(u.used, w.requests) END AS used,
       nullif(w.requests, 0) AS requests,
       CASE WHEN w.requests > 0 THEN w.length / 1000000 END AS window_seconds,
       -- The end is rounded up to a second, because syncctl prints no fractions. A pause is limited to 1,000 years,
       -- because the end of a longer pause would overflow.
       CASE WHEN p.paused > 0 THEN date_trunc('second', clock_timestamp() + interval '999999 microseconds'
         + least(p.paused, 31557600000000000) * interval '1 microsecond') END AS paused_until
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
  AS w (source, origin, requests, length, number)
LEFT JOIN sync.rate_budget b ON b.origin = w.origin
CROSS JOIN LATERAL (SELECT sync.pause_left(w.origin) AS paused) p
CROSS JOIN LATERAL (
  SELECT greatest(sync.clock_microseconds() + coalesce(b.clock_offset, 0), coalesce(b.read_at, 0)) AS now OFFSET 0
) c
CROSS JOIN LATERAL (SELECT c.now - w.length - greatest(w.length / 50, 20000) AS since) s
-- This subquery counts permits as sync.take_permit_at does, but only up to now.
CROSS JOIN LATERAL (
  SELECT CASE WHEN w.requests <= 64 THEN (
           SELECT count(*) FROM sync.rate_permit g CROSS JOIN unnest(g.moments) AS moment
           WHERE g.origin = w.origin AND moment > s.since AND moment <= c.now)
         ELSE (
           SELECT coalesce(sum(bucket.count), 0)::bigint
           FROM sync.rate_window r CROSS JOIN unnest(r.counts) WITH ORDINALITY AS bucket (count, place)
           WHERE r.origin = w.origin AND r.length = w.length
             AND r.bucket_start + (bucket.place - 64) * r.bucket_width > s.since
             AND r.bucket_start + (bucket.place - 65) * r.bucket_width <= c.now)
         END AS used
) u
ORDER BY w.number
