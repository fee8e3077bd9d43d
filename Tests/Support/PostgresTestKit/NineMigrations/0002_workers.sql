-- Workers record themselves, so that commands can say since when none is at work.

CREATE TABLE sync.worker (
  id           uuid PRIMARY KEY,
  host         text NOT NULL,
  version      text NOT NULL,
  started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_tick_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tick_seconds numeric NOT NULL CHECK (tick_seconds > 0 AND tick_seconds <= 86400),
  stopped_at   timestamptz
);
COMMENT ON TABLE  sync.worker IS 'Workers (syncctl worker), one row per process. A worker has crashed if its last tick is older than twice its interval, and stopped_at is null.';
COMMENT ON COLUMN sync.worker.id IS 'Identity of the process; random.';
COMMENT ON COLUMN sync.worker.host IS 'Name of the machine or container.';
COMMENT ON COLUMN sync.worker.version IS 'Version of its syncctl.';
COMMENT ON COLUMN sync.worker.started_at IS 'When it first recorded itself.';
COMMENT ON COLUMN sync.worker.last_tick_at IS 'When it was last at work.';
COMMENT ON COLUMN sync.worker.tick_seconds IS 'Interval at which it records that it is at work, in seconds.';
COMMENT ON COLUMN sync.worker.stopped_at IS 'When it stopped in order; null while it is at work, and after a crash.';

-- The table has the rights of sync.job_run. Until sql/roles.sql is run again, workers and readers would be refused without them.
DO $$
DECLARE
  statement text;
BEGIN
  FOR statement IN
    SELECT format('GRANT %s ON sync.worker TO %s', a.privilege_type, coalesce(quote_ident(r.rolname), 'PUBLIC'))
    FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'sync.job_run'::regclass AND a.grantee <> c.relowner
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;
