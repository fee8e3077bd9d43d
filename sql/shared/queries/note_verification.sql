-- Keeps what a verification found, and the latest 100 of its source and mode.
-- $1 source text, $2 mode text, $3 streams text[] (null for all), $4 seconds that it took, $5 checked jsonb,
-- $6 differences bigint, $7 derived bigint, $8 noted bigint, $9 first differences jsonb
WITH kept AS (
  INSERT INTO sync.verification
    (source, mode, streams, started_at, checked, differences, derived, noted, first_differences)
  VALUES ($1::text, $2::text, $3::text[], clock_timestamp() - make_interval(secs => $4), $5::jsonb, $6::bigint, $7::bigint,
          $8::bigint, $9::jsonb)
)
DELETE FROM sync.verification
WHERE source = $1::text AND mode = $2::text AND id <= (
  SELECT id FROM sync.verification WHERE source = $1::text AND mode = $2::text ORDER BY id DESC OFFSET 99 LIMIT 1)
