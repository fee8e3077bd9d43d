-- The sources that the mirror has streams of.
SELECT DISTINCT source FROM sync.stream_state ORDER BY source
