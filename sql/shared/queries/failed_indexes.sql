-- The sources whose latest request for the index failed. stream_figures.sql has the same columns, but returns no index,
-- because an index has no row in stream_state.
-- $1 name of the stream that represents a source's index
SELECT r.source, r.stream, NULL::double precision, NULL::double precision, NULL::bigint,
       (SELECT extract(epoch FROM clock_timestamp())::double precision
          + nullif(max(sync.pause_left(lower(substring(s.origin FROM '^[^/]+//[^/?#]+')))), 0)::double precision / 1e6
        FROM sync.stream_state s WHERE s.source = r.source),
       r.id, r.status, sync.run_held(r.status, r.guarded, r.error), r.guarded, r.error
FROM (
  SELECT DISTINCT ON (source) * FROM sync.run WHERE stream = $1 AND status NOT IN ('running', 'interrupted')
  ORDER BY source, started_at DESC
) r
WHERE r.status = 'failed'
  AND NOT EXISTS (SELECT FROM sync.stream_state s WHERE s.source = r.source AND s.stream = r.stream)
ORDER BY r.source
