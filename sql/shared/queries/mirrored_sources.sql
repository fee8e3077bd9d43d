SELECT DISTINCT source FROM sync.stream_state ORDER BY source
