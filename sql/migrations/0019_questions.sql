-- What questions and runs look for in a ledger of a year, without reading all of it.

-- The latest run of each stream.
CREATE INDEX run_stream ON sync.run (source, stream, started_at DESC);
-- The runs that are under way, and those that a killed process has left open.
CREATE INDEX run_running ON sync.run (source, stream) WHERE status = 'running';
-- All runs that worked on a walk.
CREATE INDEX run_walk ON sync.run (walk_id);

-- The history of look-ups is read in the order of its numbers.
DROP INDEX itunes.lookup_history_at;
