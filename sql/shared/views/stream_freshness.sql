-- revision: 1
-- As of when a stream is known to have been whole: the end of its last complete run, or the answer by which the service
-- said that nothing has changed since.

CREATE OR REPLACE VIEW sync.stream_freshness AS
SELECT s.source, s.stream,
       greatest(s.last_complete_at, CASE WHEN i.build = s.build AND i.origin = s.origin THEN i.checked_at END) AS whole_at
FROM sync.stream_state s LEFT JOIN sync.source_index i ON i.source = s.source
WHERE s.last_complete_at IS NOT NULL;
COMMENT ON VIEW   sync.stream_freshness IS 'As of when each stream is known to be whole.';
COMMENT ON COLUMN sync.stream_freshness.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.stream_freshness.stream IS 'Stream within the source.';
COMMENT ON COLUMN sync.stream_freshness.whole_at IS 'The end of its last complete run; or later, when the service said that it still has the build that was mirrored.';
