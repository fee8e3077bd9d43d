-- Jobs that run by themselves: what is due, who is at work on it, and what became of it.

CREATE TABLE sync.job (
  name            text PRIMARY KEY,
  source          text NOT NULL,
  streams         text[] NOT NULL,
  schedule        text NOT NULL,
  time_zone       text NOT NULL,
  scheduled_until timestamptz NOT NULL DEFAULT clock_timestamp(),
  paused_at       timestamptz,
  registered_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  sync.job IS 'Jobs of the configuration, as the worker knows them that read its configuration last.';
COMMENT ON COLUMN sync.job.name IS 'Name of the job.';
COMMENT ON COLUMN sync.job.source IS 'Source that it runs, or all.';
COMMENT ON COLUMN sync.job.streams IS 'Streams that it runs; empty for those that a run without names has.';
COMMENT ON COLUMN sync.job.schedule IS 'When it runs, as it was written. A worker that has it otherwise leaves its times to the others.';
COMMENT ON COLUMN sync.job.time_zone IS 'Time zone of the schedule, e.g. Europe/Berlin.';
COMMENT ON COLUMN sync.job.scheduled_until IS 'All times up to this one have been seen to: what was due is in sync.job_run. Set to now when the job is new, its schedule changes, or it is resumed.';
COMMENT ON COLUMN sync.job.paused_at IS 'Since when it is not run; null if it is.';
COMMENT ON COLUMN sync.job.registered_at IS 'When a worker last found it new or changed in its configuration.';

CREATE TABLE sync.job_run (
  job              text NOT NULL REFERENCES sync.job,
  nominal_at       timestamptz NOT NULL,
  due_at           timestamptz NOT NULL,
  triggered_by     text NOT NULL CHECK (triggered_by IN ('schedule', 'person')),
  state            text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'ended')),
  skipped          integer NOT NULL DEFAULT 0,
  attempts         integer NOT NULL DEFAULT 0,
  failures         integer NOT NULL DEFAULT 0,
  deaths           integer NOT NULL DEFAULT 0,
  owner            jsonb,
  generation       bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz,
  started_at       timestamptz,
  ended_at         timestamptz,
  outcome          text CHECK (outcome IN ('done', 'failed', 'timeout', 'abandoned', 'superseded')),
  exit_status      integer,
  certified        boolean,
  error            text,
  PRIMARY KEY (job, nominal_at),
  CHECK ((state = 'ended') = (outcome IS NOT NULL AND ended_at IS NOT NULL)),
  CHECK (state <> 'running' OR (owner IS NOT NULL AND lease_expires_at IS NOT NULL AND started_at IS NOT NULL))
) WITH (fillfactor = 70);
-- What is open is looked at every few seconds; what has ended is much more.
CREATE INDEX job_run_open ON sync.job_run (due_at) WHERE state <> 'ended';
-- How a job ended last, and what is old enough to be dropped.
CREATE INDEX job_run_ended ON sync.job_run (job, ended_at DESC) WHERE state = 'ended';
-- A job never runs twice at the same time, whatever its workers believe.
CREATE UNIQUE INDEX job_run_at_work ON sync.job_run (job) WHERE state = 'running';
COMMENT ON TABLE  sync.job_run IS 'One row per job and nominal time: no time of a job is run twice, whoever triggers it.';
COMMENT ON COLUMN sync.job_run.job IS 'Name of the job.';
COMMENT ON COLUMN sync.job_run.nominal_at IS 'Time of the schedule that it is run for; of a run that a person has triggered, that moment.';
COMMENT ON COLUMN sync.job_run.due_at IS 'From when on it may be taken: the nominal time and the jitter, or the pause after a try that failed.';
COMMENT ON COLUMN sync.job_run.triggered_by IS 'schedule, or person (syncctl jobs trigger).';
COMMENT ON COLUMN sync.job_run.state IS 'waiting, running or ended.';
COMMENT ON COLUMN sync.job_run.skipped IS 'Earlier times that nobody was there to run and that this run stands for.';
COMMENT ON COLUMN sync.job_run.attempts IS 'How often a worker has taken it.';
COMMENT ON COLUMN sync.job_run.failures IS 'Tries that an upstream that was away or a budget that was spent has ended, and that are followed by another.';
COMMENT ON COLUMN sync.job_run.deaths IS 'Workers that died while they had it.';
COMMENT ON COLUMN sync.job_run.owner IS 'Worker that is at work on it: host, boot, pid namespace, pid, start time.';
COMMENT ON COLUMN sync.job_run.generation IS 'Fence: grows with every worker that takes it; of an older one nothing is written here.';
COMMENT ON COLUMN sync.job_run.lease_expires_at IS 'When another worker may take it over, by the clock of the database.';
COMMENT ON COLUMN sync.job_run.started_at IS 'When it was taken for the first time.';
COMMENT ON COLUMN sync.job_run.ended_at IS 'When it ended.';
COMMENT ON COLUMN sync.job_run.outcome IS 'done; failed; timeout: it was stopped at the end of its time; abandoned: its workers died too often; superseded: it had not begun when the next time came.';
COMMENT ON COLUMN sync.job_run.exit_status IS 'What syncctl run would have exited with.';
COMMENT ON COLUMN sync.job_run.certified IS 'Every stream of it was walked completely.';
COMMENT ON COLUMN sync.job_run.error IS 'Why it did not end well.';

ALTER TABLE sync.run ADD COLUMN job text, ADD COLUMN job_nominal_at timestamptz;
CREATE INDEX run_job ON sync.run (job, job_nominal_at) WHERE job IS NOT NULL;
COMMENT ON COLUMN sync.run.job IS 'Job that the run was part of; null for a run of syncctl run.';
COMMENT ON COLUMN sync.run.job_nominal_at IS 'Nominal time of that job''s run.';
