-- Stores the result of a verification. Deletes all but the latest 100 results of the source.
-- $1 source text, $2 streams text[] (null for all), $3 seconds, $4 checked jsonb, $5 differences bigint, $6 derived
-- bigint, $7 noted bigint, $8 first differences jsonb
WITH kept AS (
  INSERT INTO sync.verification
    (source, mode, streams, started_at, checked, differences, derived, noted, first_differences)
  VALUES ($1::text, 'local', $2::text[], clock_timestamp() - make_interval(secs => $3), $4::jsonb, $5::bigint, $6::bigint,
          $7::bigint, $8::jsonb)
)
DELETE FROM sync.verification
WHERE source = $1::text AND mode = 'local' AND id <= (
  SELECT id FROM sync.verification WHERE source = $1::text AND mode = 'local' ORDER BY id DESC OFFSET 99 LIMIT 1)
