-- Has the next runs fetch the pages of some items, whatever the service says of them, and start new walks.
-- $1 source text, $2 streams text[], $3 keys of items bigint[]
WITH pages AS (
  UPDATE sync.walk_page p SET address = NULL
  FROM sync.walk w
  WHERE w.id = p.walk_id AND w.source = $1::text AND w.stream = ANY ($2::text[]) AND p.keys && $3::bigint[]
    AND p.address IS NOT NULL
)
UPDATE sync.stream_state SET build = NULL, walk_id = NULL, cursor = NULL
WHERE source = $1::text AND stream = ANY ($2::text[])
