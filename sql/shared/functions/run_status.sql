-- A killed process cannot close its run, so `running` alone does not prove that a run still works.

CREATE OR REPLACE FUNCTION sync.run_status(status text, source text, stream text) RETURNS text
LANGUAGE sql STABLE
RETURN CASE
  WHEN status = 'running' AND NOT EXISTS (
    SELECT FROM sync.stream_state s
    WHERE s.source = run_status.source AND s.stream = run_status.stream AND s.lease_expires_at > clock_timestamp())
  THEN 'interrupted' ELSE status END;
COMMENT ON FUNCTION sync.run_status IS 'The status of a run; interrupted instead of running if the lease of its stream has expired. The arguments are columns of sync.run.';
