-- A list that holds an item twice is never proven consistent, and a stream of it was never fresh. When a stream was fresh
-- and when it was proven consistent are two times.

ALTER TABLE sync.stream_state ADD COLUMN last_consistent_at timestamptz;
UPDATE sync.stream_state SET last_consistent_at = last_complete_at WHERE last_complete_at IS NOT NULL;
COMMENT ON COLUMN sync.stream_state.last_complete_run_id IS 'The latest run that read the list to its end without a hole, and published it.';
COMMENT ON COLUMN sync.stream_state.last_complete_at IS 'When that run ended.';
COMMENT ON COLUMN sync.stream_state.last_consistent_at IS 'When the latest run ended that proved that nothing moved past the reader; null if none did.';
