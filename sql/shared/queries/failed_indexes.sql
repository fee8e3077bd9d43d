-- For each source: the latest failed request for the index since the last success. Held runs are preferred to others.
-- stream_figures.sql has the same columns, but returns no index, because an index has no row in stream_state.
-- The service's origin is from the configuration, because a source whose first request was throttled has no stream yet.
-- $1 name of the stream that represents a source's index, $2 and $3 source and origin of each configured service
SELECT r.source, r.stream, NULL::double precision, NULL::double precision, NULL::bigint,
       (SELECT extract(epoch FROM clock_timestamp())::double precision
          + nullif(max(sync.pause_left(c.origin)), 0)::double precision / 1e6
        FROM unnest($2::text[], $3::text[]) AS c (source, origin) WHERE c.source = r.source),
       r.id, r.status, sync.run_held(r.status, r.guarded, r.error), r.guarded, r.error
FROM (
  SELECT DISTINCT ON (f.source) f.* FROM sync.run f
  WHERE f.stream = $1 AND f.status = 'failed' AND NOT EXISTS (
    SELECT FROM sync.run c
    WHERE c.source = f.source AND c.stream = f.stream AND c.status = 'complete' AND c.started_at > f.started_at)
  ORDER BY f.source, sync.run_held(f.status, f.guarded, f.error) DESC, f.started_at DESC
) r
WHERE NOT EXISTS (SELECT FROM sync.stream_state s WHERE s.source = r.source AND s.stream = r.stream)
ORDER BY r.source
