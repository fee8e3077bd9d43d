-- A stream is fresh as of the end of its last complete run. If the service has since answered that its data is still
-- the same build, the stream is fresh as of that answer.

CREATE OR REPLACE VIEW sync.stream_freshness AS
SELECT s.source, s.stream,
       greatest(s.last_complete_at, CASE WHEN i.build = s.build AND i.origin = s.origin THEN i.checked_at END) AS whole_at,
       greatest(s.last_consistent_at, CASE WHEN i.build = s.build AND i.origin = s.origin THEN i.checked_at END) AS consistent_at
FROM sync.stream_state s LEFT JOIN sync.source_index i ON i.source = s.source
WHERE s.last_complete_at IS NOT NULL;
COMMENT ON VIEW   sync.stream_freshness IS 'The last time at which each stream was known to be complete.';
COMMENT ON COLUMN sync.stream_freshness.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.stream_freshness.stream IS 'Stream within the source.';
COMMENT ON COLUMN sync.stream_freshness.whole_at IS 'The end of the last complete run, or the later time when the service confirmed that it still has the mirrored build.';
COMMENT ON COLUMN sync.stream_freshness.consistent_at IS 'Like whole_at, for the last run whose list was consistent; null without such a run.';
