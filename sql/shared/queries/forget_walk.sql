-- Forgets the unfinished walk of a stream, because its stored pages have lost their meaning. A run under way loses its
-- lease, so it cannot commit anything that it read before. The incremental cursor stays. The next walk requests all
-- lists of a stream that has several.
-- $1 source text, $2 stream text
WITH ended AS (
  UPDATE sync.walk w SET finished_at = clock_timestamp() FROM sync.stream_state s
  WHERE s.source = $1::text AND s.stream = $2::text AND w.id = s.walk_id
), requested AS (
  DELETE FROM sync.list_state WHERE source = $1::text AND stream = $2::text
)
UPDATE sync.stream_state
SET walk_id = NULL, cursor = NULL, build = NULL, lease_generation = lease_generation + 1, lease_owner = NULL,
    lease_expires_at = NULL
WHERE source = $1::text AND stream = $2::text
