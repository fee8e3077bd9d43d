-- One command, or one run of a job, runs several streams. What it did as a whole is all rows with its id.
ALTER TABLE sync.run ADD COLUMN invocation_id uuid;
CREATE INDEX run_invocation ON sync.run (invocation_id) WHERE invocation_id IS NOT NULL;
COMMENT ON COLUMN sync.run.invocation_id IS 'What the runs of one command, or of one run of a job by one worker, have in common; null for runs of earlier versions.';
