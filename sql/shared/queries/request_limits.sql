-- The used part of each window of rate limits, and the time until which no request is sent to the service.
-- $1 sources, $2 origins, $3 requests and $4 lengths in microseconds of the windows, in step; 0 requests without a window
SELECT w.source, w.origin, CASE WHEN w.requests > 0 THEN u.used END AS used, nullif(w.requests, 0) AS requests,
       CASE WHEN w.requests > 0 THEN w.length / 1000000 END AS window_seconds,
       -- Rounded up, because tables cut fractions. A pause of more than 1,000 years can only be a manual edit.
       CASE WHEN p.paused > 0 THEN date_trunc('second', clock_timestamp() + interval '999999 microseconds'
         + least(p.paused, 31557600000000000) * interval '1 microsecond') END AS paused_until
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
  AS w (source, origin, requests, length, number)
LEFT JOIN sync.rate_budget b ON b.origin = w.origin
CROSS JOIN LATERAL (SELECT sync.pause_left(w.origin) AS paused) p
CROSS JOIN LATERAL (
  SELECT greatest(sync.clock_microseconds() + coalesce(b.clock_offset, 0), coalesce(b.read_at, 0))
         - w.length - greatest(w.length / 50, 20000) AS since
) s
-- Counts permits as sync.take_permit_at does.
CROSS JOIN LATERAL (
  SELECT CASE WHEN w.requests <= 64 THEN (
           SELECT count(*) FROM sync.rate_permit g CROSS JOIN unnest(g.moments) AS moment
           WHERE g.origin = w.origin AND moment > s.since)
         ELSE (
           SELECT coalesce(sum(bucket.count), 0)::bigint
           FROM sync.rate_window c CROSS JOIN unnest(c.counts) WITH ORDINALITY AS bucket (count, place)
           WHERE c.origin = w.origin AND c.length = w.length
             AND c.bucket_start + (bucket.place - 64) * c.bucket_width > s.since)
         END AS used
) u
ORDER BY w.number
