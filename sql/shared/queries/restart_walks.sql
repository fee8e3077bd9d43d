-- Makes the next run of each stream in $2 start a new walk, so that the items in $3 are read again. A resumed walk
-- would not read its pages again. A stream that was never published is restarted only if its walk met one of the items.
-- $1 source text, $2 streams text[], $3 keys of items bigint[]
WITH again AS (
  SELECT s.stream, s.walk_id FROM sync.stream_state s
  WHERE s.source = $1::text AND s.stream = ANY ($2::text[])
    AND (
      EXISTS (SELECT FROM sync.publication p WHERE p.source = s.source AND p.list = s.stream)
      OR EXISTS (SELECT FROM sync.walk_page p WHERE p.walk_id = s.walk_id AND p.keys && $3::bigint[]))
), requested AS (
  -- Otherwise, the new walk would not request the lists of parent items that have not changed.
  DELETE FROM sync.list_state l USING again WHERE l.source = $1::text AND l.stream = again.stream
), ended AS (
  -- No run resumes this walk. Finished walks are deleted earlier than unfinished walks.
  UPDATE sync.walk w SET finished_at = clock_timestamp() FROM again WHERE w.id = again.walk_id
)
UPDATE sync.stream_state s SET build = NULL, walk_id = NULL, cursor = NULL
FROM again WHERE s.source = $1::text AND s.stream = again.stream
