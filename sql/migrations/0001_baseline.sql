-- The tables of version 0.1.0. Functions and views have files of their own: sql/shared, sql/sources and sql/reports.

-- How the mirror is kept: walks, the ledger, leases, quarantine, publications, the rate budget, jobs, verifications.

CREATE SCHEMA IF NOT EXISTS sync; -- the table of the migrations is in it already
COMMENT ON SCHEMA sync IS 'How the mirror is kept: walks, the ledger of runs, leases, quarantine, publications. Written by syncctl only.';

CREATE TABLE sync.walk (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source           text NOT NULL,
  stream           text NOT NULL,
  provider         text NOT NULL,
  origin           text NOT NULL,
  page_size        integer NOT NULL,
  started_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at      timestamptz,
  mapping_version  integer,
  is_full          boolean NOT NULL DEFAULT false,
  parameters       text NOT NULL DEFAULT '',
  published_from   integer,
  published_before integer
);
COMMENT ON TABLE  sync.walk IS 'One pass through the pages of a list; several runs may work on it, one after the other.';
COMMENT ON COLUMN sync.walk.id IS 'Number of the walk.';
COMMENT ON COLUMN sync.walk.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.walk.stream IS 'Stream within the source, e.g. top-anime.';
COMMENT ON COLUMN sync.walk.provider IS 'Service that answered, e.g. tenrai.';
COMMENT ON COLUMN sync.walk.origin IS 'Base URL of the service; pages of another origin never continue this walk.';
COMMENT ON COLUMN sync.walk.page_size IS 'Items asked for per page; pages of another size never continue this walk.';
COMMENT ON COLUMN sync.walk.started_at IS 'When the walk was begun.';
COMMENT ON COLUMN sync.walk.finished_at IS 'When the walk came to an end that no run will go on from; null while it can be resumed.';
COMMENT ON COLUMN sync.walk.mapping_version IS 'Version of the mapping by which its documents became columns; pages of another version never continue this walk. Null for walks from before this column was added.';
COMMENT ON COLUMN sync.walk.is_full IS 'Begun with --full: every document is asked for, however young it is.';
COMMENT ON COLUMN sync.walk.parameters IS 'Fingerprint of what was asked for besides (HMAC-SHA256 with sync.fingerprint_key); pages with other parameters never continue this walk. Empty if nothing was.';
COMMENT ON COLUMN sync.walk.published_from IS 'The first reading that the list is published from; null for all readings of the walk.';
COMMENT ON COLUMN sync.walk.published_before IS 'The reading after the last one that the list is published from.';

CREATE TABLE sync.walk_page (
  walk_id          bigint NOT NULL REFERENCES sync.walk ON DELETE CASCADE,
  page             integer NOT NULL,
  keys             bigint[],
  unreadable       integer NOT NULL DEFAULT 0,
  claimed_total    bigint,
  last_page        bigint,
  has_next         boolean,
  etag             text,
  fetched_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  list_page        integer,
  ended_by         text,
  address          text,
  last_modified    text,
  mirrored_at      timestamptz,
  build            text,
  digest           bytea,
  next             text,
  next_key         text,
  missed           integer,
  unreadable_after integer[],
  PRIMARY KEY (walk_id, page)
);
COMMENT ON TABLE  sync.walk_page IS 'What a walk saw, one row per reading of a page, committed together with the rows of the page. Resuming, certificates, publishing and vanishing read it.';
COMMENT ON COLUMN sync.walk_page.walk_id IS 'The walk.';
COMMENT ON COLUMN sync.walk_page.page IS 'Number of the reading within the walk, from 1; a page that is read again has several.';
COMMENT ON COLUMN sync.walk_page.keys IS 'Keys of the items in the order of the upstream, repeats included; null for a page that was not there. Of a batch, the items that were found.';
COMMENT ON COLUMN sync.walk_page.unreadable IS 'Items of the page whose key could not be read.';
COMMENT ON COLUMN sync.walk_page.claimed_total IS 'Items the list said it has.';
COMMENT ON COLUMN sync.walk_page.last_page IS 'Last page the list said it has.';
COMMENT ON COLUMN sync.walk_page.has_next IS 'Whether the page said that another one follows.';
COMMENT ON COLUMN sync.walk_page.etag IS 'Validator of the answer; null where none was kept.';
COMMENT ON COLUMN sync.walk_page.fetched_at IS 'When the page was committed. A walk whose last page is older than six hours is not resumed.';
COMMENT ON COLUMN sync.walk_page.list_page IS 'Number of the page in the list, from 1; null for a batch of items that were asked for one by one.';
COMMENT ON COLUMN sync.walk_page.ended_by IS 'How the list ended at this reading, in the words of the certificate; null if it went on.';
COMMENT ON COLUMN sync.walk_page.address IS 'What was asked for: number and size of the page, as in 12x25, and - behind them if counted from the other end. Null if the page cannot be asked for conditionally: it has no validator, or not every item of it is in the mirror.';
COMMENT ON COLUMN sync.walk_page.last_modified IS 'Another validator of the answer; null where none was kept.';
COMMENT ON COLUMN sync.walk_page.mirrored_at IS 'For a page that was still the same (304): when its items were stored, or found to be stored, as it has them. Null for all others, for which that is fetched_at.';
COMMENT ON COLUMN sync.walk_page.build IS 'Of a batch of documents, or a page of the list that names them: the one build of the service''s data that all of it is of; null if it is of several, or that is not known.';
COMMENT ON COLUMN sync.walk_page.digest IS 'Of the page''s body, with the version of its reader and its mapping; null where the page has to be read in every walk.';
COMMENT ON COLUMN sync.walk_page.next IS 'Address or cursor of the next page, as the page named it; null for pages with numbers, and for the last page.';
COMMENT ON COLUMN sync.walk_page.next_key IS 'The value that next has in common with the page''s last item: the members of its key, one a line, or its incremental cursor. Null if next has neither.';
COMMENT ON COLUMN sync.walk_page.missed IS 'For a batch of lookups: the number of found items that the previous list had. Null if there are none.';
COMMENT ON COLUMN sync.walk_page.unreadable_after IS 'For each item whose key could not be read, the number of keys before it on the page. Null if all keys could be read.';

-- Headers and parameters of a declared source can have secrets, so a walk stores only their fingerprint.
CREATE TABLE sync.fingerprint_key (
  id  boolean PRIMARY KEY DEFAULT true CHECK (id),
  key bytea NOT NULL CHECK (octet_length(key) = 32)
        DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
COMMENT ON TABLE  sync.fingerprint_key IS 'The key of the fingerprints in sync.walk. Only the owner and the workers can read it, so that nobody else can test guesses.';
COMMENT ON COLUMN sync.fingerprint_key.id IS 'Always true: the table has one row.';
COMMENT ON COLUMN sync.fingerprint_key.key IS '32 random bytes.';
INSERT INTO sync.fingerprint_key DEFAULT VALUES;

CREATE TABLE sync.run (
  id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  source            text NOT NULL,
  stream            text NOT NULL,
  walk_id           bigint,
  status            text NOT NULL CHECK (status IN (
    'running', 'complete', 'unproven', 'inconsistent', 'partial', 'failed', 'interrupted')),
  started_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at       timestamptz,
  pages             integer NOT NULL DEFAULT 0,
  requests          integer NOT NULL DEFAULT 0,
  retries           integer NOT NULL DEFAULT 0,
  not_modified      integer NOT NULL DEFAULT 0,
  rows_seen         bigint NOT NULL DEFAULT 0,
  inserted          bigint NOT NULL DEFAULT 0,
  updated           bigint NOT NULL DEFAULT 0,
  documents_updated bigint NOT NULL DEFAULT 0,
  unchanged         bigint NOT NULL DEFAULT 0,
  duplicates        bigint NOT NULL DEFAULT 0,
  quarantined       bigint NOT NULL DEFAULT 0,
  vanished          bigint NOT NULL DEFAULT 0,
  bytes             bigint NOT NULL DEFAULT 0,
  wal_start         pg_lsn NOT NULL DEFAULT pg_current_wal_lsn(),
  wal_bytes         bigint,
  certificate       jsonb,
  error             text,
  guarded           boolean NOT NULL DEFAULT false,
  repaired          bigint NOT NULL DEFAULT 0,
  permits_waited    integer NOT NULL DEFAULT 0,
  waited_ms         bigint NOT NULL DEFAULT 0,
  fresh             bigint NOT NULL DEFAULT 0,
  job               text,
  job_nominal_at    timestamptz,
  warning           text,
  identical         integer NOT NULL DEFAULT 0,
  invocation_id     uuid,
  not_understood    jsonb
) WITH (fillfactor = 80);
CREATE INDEX run_started_at ON sync.run (started_at DESC);
CREATE INDEX run_job ON sync.run (job, job_nominal_at) WHERE job IS NOT NULL;
-- The latest run of each stream.
CREATE INDEX run_stream ON sync.run (source, stream, started_at DESC);
-- The runs that are under way, and those that a killed process has left open.
CREATE INDEX run_running ON sync.run (source, stream) WHERE status = 'running';
-- All runs that worked on a walk.
CREATE INDEX run_walk ON sync.run (walk_id);
-- One command, or one run of a job, runs several streams. What it did as a whole is all rows with its id.
CREATE INDEX run_invocation ON sync.run (invocation_id) WHERE invocation_id IS NOT NULL;
COMMENT ON TABLE  sync.run IS 'The ledger: one row per run of a stream. rows_seen = inserted + updated + unchanged + duplicates + quarantined.';
COMMENT ON COLUMN sync.run.id IS 'Identity of the run; random, so that it stays unique in a database restored from a backup.';
COMMENT ON COLUMN sync.run.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.run.stream IS 'Stream within the source, e.g. top-anime.';
COMMENT ON COLUMN sync.run.walk_id IS 'The walk that the run worked on; the walk itself may have been pruned.';
COMMENT ON COLUMN sync.run.status IS 'running; complete: every item was seen; unproven: the list was read to its end, but without evidence that no item was removed meanwhile; inconsistent: the list moved or held fewer items than it claimed; partial: pages are missing or were not requested; failed; interrupted.';
COMMENT ON COLUMN sync.run.started_at IS 'When the run took the lease.';
COMMENT ON COLUMN sync.run.finished_at IS 'When the run ended; null while it runs or if its process was killed.';
COMMENT ON COLUMN sync.run.pages IS 'Pages that this run read and committed.';
COMMENT ON COLUMN sync.run.requests IS 'Requests sent, retries and the last 404 included.';
COMMENT ON COLUMN sync.run.retries IS 'Requests that were tried again.';
COMMENT ON COLUMN sync.run.not_modified IS 'Pages answered by 304.';
COMMENT ON COLUMN sync.run.rows_seen IS 'Items on the pages, repeats included.';
COMMENT ON COLUMN sync.run.inserted IS 'Items that were new to the mirror.';
COMMENT ON COLUMN sync.run.updated IS 'Items that differed from the mirror.';
COMMENT ON COLUMN sync.run.documents_updated IS 'Those of updated in which more than the daily counters differed.';
COMMENT ON COLUMN sync.run.unchanged IS 'Items equal to the mirror; nothing was written for them.';
COMMENT ON COLUMN sync.run.duplicates IS 'Items whose key had been seen before in the walk.';
COMMENT ON COLUMN sync.run.quarantined IS 'Items that could not be stored; see sync.quarantine.';
COMMENT ON COLUMN sync.run.vanished IS 'Items marked as gone.';
COMMENT ON COLUMN sync.run.bytes IS 'Bytes of the answers, decompressed.';
COMMENT ON COLUMN sync.run.wal_start IS 'Position of the write-ahead log at the start.';
COMMENT ON COLUMN sync.run.wal_bytes IS 'Write-ahead log of the whole cluster during the run; on a shared server the writes of others are in it.';
COMMENT ON COLUMN sync.run.certificate IS 'What the walk can vouch for: how it ended, claimed and seen numbers, drift, holes.';
COMMENT ON COLUMN sync.run.error IS 'Why the run did not end well.';
COMMENT ON COLUMN sync.run.guarded IS 'More would have left a list or been marked as gone than the guard allows, so nothing was; --confirm-vanish with this run''s id lets it happen.';
COMMENT ON COLUMN sync.run.repaired IS 'Items in whose text something was replaced or dropped: NUL, lone surrogates, duplicate names. They have another outcome besides.';
COMMENT ON COLUMN sync.run.permits_waited IS 'Requests that had to wait for the rate budget.';
COMMENT ON COLUMN sync.run.waited_ms IS 'How long they waited in all, in milliseconds.';
COMMENT ON COLUMN sync.run.fresh IS 'Documents that the list names and that were not asked for, being younger than their time to live. They are not among rows_seen.';
COMMENT ON COLUMN sync.run.job IS 'Job that the run was part of; null for a run of syncctl run.';
COMMENT ON COLUMN sync.run.job_nominal_at IS 'Nominal time of that job''s run.';
COMMENT ON COLUMN sync.run.warning IS 'What a person should know of a run that ended well: entries of another season than the calendar''s, an empty list that was not published yet.';
COMMENT ON COLUMN sync.run.identical IS 'Pages that came and were byte for byte those of the walk before: their items count as unchanged.';
COMMENT ON COLUMN sync.run.invocation_id IS 'What the runs of one command, or of one run of a job by one worker, have in common; null for runs of earlier versions.';
COMMENT ON COLUMN sync.run.not_understood IS 'Members that did not fit their columns, which are null: by path how many, and an example. Null if there were none.';

CREATE TABLE sync.quarantine (
  source       text NOT NULL,
  stream       text NOT NULL,
  item         text NOT NULL,
  reason       text NOT NULL,
  detail       text NOT NULL,
  raw          text NOT NULL,
  count        bigint NOT NULL DEFAULT 1,
  first_run_id uuid NOT NULL,
  last_run_id  uuid NOT NULL,
  first_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source, stream, item, reason)
);
COMMENT ON TABLE  sync.quarantine IS 'Items that could not be stored, with the reason; the rest of their page was.';
COMMENT ON COLUMN sync.quarantine.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.quarantine.stream IS 'Stream within the source.';
COMMENT ON COLUMN sync.quarantine.item IS 'Key of the item, or a digest of its fault and its beginning if the key could not be read.';
COMMENT ON COLUMN sync.quarantine.reason IS 'Kind of the fault, e.g. wrong_type.';
COMMENT ON COLUMN sync.quarantine.detail IS 'Where in the item, and what was found there.';
COMMENT ON COLUMN sync.quarantine.raw IS 'Beginning of the item, made harmless for a terminal.';
COMMENT ON COLUMN sync.quarantine.count IS 'How often it was met.';
COMMENT ON COLUMN sync.quarantine.first_run_id IS 'Run that met it first.';
COMMENT ON COLUMN sync.quarantine.last_run_id IS 'Run that met it last.';
COMMENT ON COLUMN sync.quarantine.first_at IS 'When it was met first.';
COMMENT ON COLUMN sync.quarantine.last_at IS 'When it was met last.';

-- The quarantine itself knows only the first and the last run that met an item.
CREATE TABLE sync.run_quarantine (
  run_id uuid NOT NULL REFERENCES sync.run ON DELETE CASCADE,
  item   text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (run_id, item, reason)
);
COMMENT ON TABLE  sync.run_quarantine IS 'The items in quarantine that a run met; they go with the run. Of runs from before this table was made, those that met an item first or last.';
COMMENT ON COLUMN sync.run_quarantine.run_id IS 'The run; its source and stream are those of the item.';
COMMENT ON COLUMN sync.run_quarantine.item IS 'As in sync.quarantine.';
COMMENT ON COLUMN sync.run_quarantine.reason IS 'As in sync.quarantine.';

-- The owner of the lease follows the columns that every page moves: the log holds what lies between the first and the
-- last column that an update changes.
--
-- This table and those of the rate budget change most, and have a few pages each. A run rewrites its row of
-- stream_state with every page and every heartbeat, and a permit the row of its origin: 250,000 a day at three requests
-- per second. Most old versions are pruned when the page is read next. If 200 of them are left, a long transaction held
-- them, and then the number alone counts, not the share of the table, which such a time has made larger. Vacuum does
-- not cut off empty pages at the end: that takes an exclusive lock, which cancels queries on a standby, for pages that
-- the next minute fills again.
CREATE TABLE sync.stream_state (
  source               text NOT NULL,
  stream               text NOT NULL,
  provider             text NOT NULL,
  origin               text NOT NULL,
  page_size            integer NOT NULL,
  walk_id              bigint REFERENCES sync.walk,
  cursor               integer,
  lease_generation     bigint NOT NULL DEFAULT 0,
  lease_expires_at     timestamptz,
  last_complete_run_id uuid,
  last_complete_at     timestamptz,
  lease_owner          jsonb,
  build                text,
  empty_since          timestamptz,
  last_consistent_at   timestamptz,
  PRIMARY KEY (source, stream)
) WITH (
  fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
COMMENT ON TABLE  sync.stream_state IS 'Where each stream stands, and who may write it.';
COMMENT ON COLUMN sync.stream_state.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.stream_state.stream IS 'Stream within the source, e.g. top-anime.';
COMMENT ON COLUMN sync.stream_state.provider IS 'Service that answered last.';
COMMENT ON COLUMN sync.stream_state.origin IS 'Base URL of that service. Data of another origin is taken over only when asked for.';
COMMENT ON COLUMN sync.stream_state.page_size IS 'Items asked for per page.';
COMMENT ON COLUMN sync.stream_state.walk_id IS 'The walk that the next run may go on with; null if there is none.';
COMMENT ON COLUMN sync.stream_state.cursor IS 'Last reading of that walk that is committed.';
COMMENT ON COLUMN sync.stream_state.lease_generation IS 'Fence: grows with every lease; a write of an older generation is refused.';
COMMENT ON COLUMN sync.stream_state.lease_expires_at IS 'When the lease may be taken over, by the clock of the database.';
COMMENT ON COLUMN sync.stream_state.last_complete_run_id IS 'The latest run that read the list to its end without a hole, and published it.';
COMMENT ON COLUMN sync.stream_state.last_complete_at IS 'When that run ended.';
COMMENT ON COLUMN sync.stream_state.lease_owner IS 'Process that may write the stream: host, boot, pid namespace, pid, start time; null if nobody does.';
COMMENT ON COLUMN sync.stream_state.build IS 'Build of the service''s data that the last walk has mirrored whole, without a document of another build; null if there was no such walk, or one is under way.';
COMMENT ON COLUMN sync.stream_state.empty_since IS 'When a narrowed list was first found empty while entries of it were published. They stay until it is empty again 20 hours later. Null if it had items when it was last walked.';
COMMENT ON COLUMN sync.stream_state.last_consistent_at IS 'When the latest complete run ended. Unproven runs do not count; null if no run was complete.';

CREATE TABLE sync.publication (
  source       text NOT NULL,
  list         text NOT NULL,
  run_id       uuid NOT NULL,
  published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  consistent   boolean NOT NULL,
  entries      bigint NOT NULL,
  folder       text,
  scope        text[],
  digest       bytea,
  PRIMARY KEY (source, list)
);
COMMENT ON TABLE  sync.publication IS 'Which run each published list is from.';
COMMENT ON COLUMN sync.publication.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.publication.list IS 'The stream whose list or catalogue it is.';
COMMENT ON COLUMN sync.publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN sync.publication.published_at IS 'When.';
COMMENT ON COLUMN sync.publication.consistent IS 'False if the list moved during the walk and did not settle, or if the walk missed items.';
COMMENT ON COLUMN sync.publication.entries IS 'Entries of the list or catalogue.';
COMMENT ON COLUMN sync.publication.folder IS 'The statements by which it was published: a folder of sql/sources. Null for a publication from before this column was added.';
COMMENT ON COLUMN sync.publication.scope IS 'The part of their keys that all entries share, as those statements take it.';
COMMENT ON COLUMN sync.publication.digest IS 'SHA-256 of the keys of the list in their order, and of their positions; null for a stream without a list.';

-- What is published already is not published again.
CREATE TABLE sync.published_list (
  source text NOT NULL,
  list   text NOT NULL,
  digest bytea,
  writes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (source, list)
);
COMMENT ON TABLE  sync.published_list IS 'What each published list holds, as a digest: a walk that would publish the same writes nothing to the list and its history.';
COMMENT ON COLUMN sync.published_list.source IS 'The source.';
COMMENT ON COLUMN sync.published_list.list IS 'The list, by the keys of its table: anime/all/none, chart/us/music/most-played/songs, …';
COMMENT ON COLUMN sync.published_list.digest IS 'Of all that publishing makes rows of, and of the statement and functions by which it does; null if anything but a publication has written to a list of the source since.';
COMMENT ON COLUMN sync.published_list.writes IS 'How often the list was published and the digest taken back.';

CREATE TABLE sync.source_index (
  source     text PRIMARY KEY,
  origin     text NOT NULL,
  build      text,
  streams    text[] NOT NULL DEFAULT '{}',
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  sync.source_index IS 'What sources that are found out at run time say of themselves.';
COMMENT ON COLUMN sync.source_index.source IS 'Source, e.g. pokeapi.';
COMMENT ON COLUMN sync.source_index.origin IS 'Base URL of the service.';
COMMENT ON COLUMN sync.source_index.build IS 'Build of its data that the service named when it was last asked; null if it does not say. A stream whose state has the same build is as fresh as this answer.';
COMMENT ON COLUMN sync.source_index.streams IS 'Streams that the index named when it was last read.';
COMMENT ON COLUMN sync.source_index.checked_at IS 'When the build was last asked for.';

-- Sources that the configuration file declares. A worker may write only the columns of the cursor, because the owner's
-- migrate creates and drops tables and columns by the others.
CREATE TABLE sync.declared_resource (
  source      text NOT NULL,
  resource    text NOT NULL,
  key         text[] NOT NULL,
  selector    text NOT NULL,
  columns     jsonb NOT NULL,
  counters    text[] NOT NULL,
  has_list    boolean NOT NULL,
  cursor      jsonb,
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  identity    smallint NOT NULL DEFAULT 1,
  reached     jsonb,
  reached_by  text,
  PRIMARY KEY (source, resource)
);
COMMENT ON TABLE  sync.declared_resource IS 'Resources of declared sources (type: rest_api) whose tables syncctl migrate created.';
COMMENT ON COLUMN sync.declared_resource.source IS 'Source, which is also the name of its schema.';
COMMENT ON COLUMN sync.declared_resource.resource IS 'Resource, which is also the name of its stream and its table.';
COMMENT ON COLUMN sync.declared_resource.key IS 'Members of the primary key.';
COMMENT ON COLUMN sync.declared_resource.selector IS 'Path of the items in a page; empty if a page is the array of items.';
COMMENT ON COLUMN sync.declared_resource.columns IS 'Typed columns: an object of names, each with a path and a type.';
COMMENT ON COLUMN sync.declared_resource.counters IS 'Members that are stored in the table of counters.';
COMMENT ON COLUMN sync.declared_resource.has_list IS 'Whether positions are stored.';
COMMENT ON COLUMN sync.declared_resource.cursor IS 'Value that the next incremental walk sends, before the lag is subtracted. Each change up to this value is stored. null without incremental.';
COMMENT ON COLUMN sync.declared_resource.declared_at IS 'When syncctl migrate created or changed the tables.';
COMMENT ON COLUMN sync.declared_resource.identity IS 'Version of the rule that computes syncctl_key: 1 hashed the JSON of the key''s members as the service spelled it; 2 hashes their canonical texts.';
COMMENT ON COLUMN sync.declared_resource.reached IS 'Second largest value of the incremental cursor that the walks have shown. The next walk that reaches the end can move the cursor to it.';
COMMENT ON COLUMN sync.declared_resource.reached_by IS 'Fingerprint of the list (origin and request) whose items had these values.';

-- The budget of requests that all processes which talk to an origin draw from.
--
-- Times are microseconds since 1970 by a clock of the origin's own that never goes back and never leaps: the database's
-- clock plus clock_offset. A permit is given in one statement; the row of the origin is locked first and the clock is
-- read after that, so permits have one order, whoever takes them.

CREATE TABLE sync.rate_budget (
  origin       text PRIMARY KEY,
  read_at      bigint NOT NULL DEFAULT 0,
  clock_offset bigint NOT NULL DEFAULT 0,
  paused_until bigint NOT NULL DEFAULT 0,
  given        bigint NOT NULL DEFAULT 0
) WITH (
  fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
COMMENT ON TABLE  sync.rate_budget IS 'Origins to which requests are limited, by whatever process, or were to be paused. Times are microseconds since 1970.';
COMMENT ON COLUMN sync.rate_budget.origin IS 'Scheme, host and port of the service.';
COMMENT ON COLUMN sync.rate_budget.read_at IS 'The time when the latest permit was taken.';
COMMENT ON COLUMN sync.rate_budget.clock_offset IS 'What is added to the database''s clock: it makes up for the times that the clock was set.';
COMMENT ON COLUMN sync.rate_budget.paused_until IS 'No permit before this time: the upstream has asked for silence.';
COMMENT ON COLUMN sync.rate_budget.given IS 'How many permits were given.';

-- The permits are a ring in a row of its own: where one element changes, only that is written to the log.
CREATE TABLE sync.rate_permit (
  origin  text PRIMARY KEY REFERENCES sync.rate_budget ON DELETE CASCADE,
  moments bigint[] NOT NULL
) WITH (
  fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
COMMENT ON TABLE  sync.rate_permit IS 'The latest permits of each origin. Windows of up to 64 requests look at these.';
COMMENT ON COLUMN sync.rate_permit.origin IS 'Scheme, host and port of the service.';
COMMENT ON COLUMN sync.rate_permit.moments IS 'When the latest 64 requests might be sent, in microseconds since 1970; some of it may be to come. The n-th permit is element n % 64 + 1, counted from 0.';

CREATE TABLE sync.rate_window (
  origin       text NOT NULL REFERENCES sync.rate_budget ON DELETE CASCADE,
  length       bigint NOT NULL,
  bucket_width bigint NOT NULL,
  bucket_start bigint NOT NULL,
  counts       integer[] NOT NULL,
  PRIMARY KEY (origin, length)
) WITH (
  fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
COMMENT ON TABLE  sync.rate_window IS 'Windows of more than 64 requests count the permits in sub-buckets, 64 of which cover the window''s length.';
COMMENT ON COLUMN sync.rate_window.origin IS 'Scheme, host and port of the service.';
COMMENT ON COLUMN sync.rate_window.length IS 'Microseconds of the window, without padding.';
COMMENT ON COLUMN sync.rate_window.bucket_width IS 'Microseconds of a sub-bucket: a 64th of the padded length, rounded up.';
COMMENT ON COLUMN sync.rate_window.bucket_start IS 'When the newest sub-bucket begins.';
COMMENT ON COLUMN sync.rate_window.counts IS 'Permits in each of the latest 65 sub-buckets, oldest first.';

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

CREATE TABLE sync.retention (
  name      text PRIMARY KEY,
  kept_days integer CHECK (kept_days BETWEEN 1 AND 40000),
  set_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  sync.retention IS 'How long rows are kept that no run needs any more. The owner alone writes it; sync.drop_old reads it.';
COMMENT ON COLUMN sync.retention.name IS 'runs, quarantine, searches, lookups or results, as in the configuration.';
COMMENT ON COLUMN sync.retention.kept_days IS 'Days for which they are kept; null keeps all.';
COMMENT ON COLUMN sync.retention.set_at IS 'When it was set.';
INSERT INTO sync.retention (name, kept_days) VALUES
  ('runs', 400), ('quarantine', 400), ('searches', 90), ('lookups', NULL), ('results', NULL);

CREATE TABLE sync.verification (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source            text NOT NULL,
  mode              text NOT NULL CHECK (mode IN ('local', 'sample', 'upstream')),
  streams           text[],
  started_at        timestamptz NOT NULL,
  finished_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  checked           jsonb NOT NULL,
  differences       bigint NOT NULL,
  derived           bigint NOT NULL DEFAULT 0,
  noted             bigint NOT NULL DEFAULT 0,
  first_differences jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX verification_latest ON sync.verification (source, mode, id DESC);
COMMENT ON TABLE  sync.verification IS 'What syncctl verify found. The latest 100 of each source and mode are kept.';
COMMENT ON COLUMN sync.verification.id IS 'Number of the verification.';
COMMENT ON COLUMN sync.verification.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.verification.mode IS 'local: the mirror compared with its own documents and hashes; sample: some of it compared with the upstream; upstream: all of it.';
COMMENT ON COLUMN sync.verification.streams IS 'Streams that it was confined to; null for all of the source.';
COMMENT ON COLUMN sync.verification.started_at IS 'When it began.';
COMMENT ON COLUMN sync.verification.finished_at IS 'When it ended. One that was interrupted leaves no row.';
COMMENT ON COLUMN sync.verification.checked IS 'How much was compared: documents, derived rows, entries of lists, and so on.';
COMMENT ON COLUMN sync.verification.differences IS 'Values and rows that are not as they should be.';
COMMENT ON COLUMN sync.verification.derived IS 'Documents whose columns and derived rows were made again.';
COMMENT ON COLUMN sync.verification.noted IS 'Documents and counters that the next run of their stream fetches and writes again.';
COMMENT ON COLUMN sync.verification.first_differences IS 'The first 100 of them: table, key, column, stored, expected.';

CREATE TABLE sync.function_set (
  folder     text PRIMARY KEY,
  number     integer NOT NULL,
  checksum   bytea NOT NULL,
  comments   jsonb NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  sync.function_set IS 'Functions and views, by the folder of their files, as they were applied last.';
COMMENT ON COLUMN sync.function_set.folder IS 'Folder below sql/: shared, reports, or sources/NAME.';
COMMENT ON COLUMN sync.function_set.number IS 'Number of the set, which grows with every change: a syncctl with a lower one changes nothing.';
COMMENT ON COLUMN sync.function_set.checksum IS 'SHA-256 of the folder''s files, so that a change is noticed.';
COMMENT ON COLUMN sync.function_set.comments IS 'The comments that the files made, by object, so that a person''s own are told from them and kept.';
COMMENT ON COLUMN sync.function_set.applied_at IS 'When they were applied.';

-- What belongs to the user and not to an upstream.

CREATE SCHEMA app;
COMMENT ON SCHEMA app IS 'What belongs to the user: favorites and other collections. No sync ever touches it.';

CREATE TABLE app.favorite (
  collection       text NOT NULL,
  source           text NOT NULL,
  kind             text NOT NULL,
  id               bigint NOT NULL,
  note             text,
  added_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  rank_at_add      integer,
  status           text CHECK (status IN (
    'watching', 'reading', 'completed', 'on-hold', 'dropped', 'plan-to-watch', 'plan-to-read')),
  my_score         smallint CHECK (my_score BETWEEN 1 AND 10),
  episodes_watched integer CHECK (episodes_watched >= 0),
  chapters_read    integer CHECK (chapters_read >= 0),
  volumes_read     integer CHECK (volumes_read >= 0),
  started_on       text CHECK (started_on ~ '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$'),
  finished_on      text CHECK (finished_on ~ '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$'),
  tags             text,
  PRIMARY KEY (collection, source, kind, id)
);
COMMENT ON TABLE  app.favorite IS 'Items that the user has put into a collection. They stay when the item vanishes upstream.';
COMMENT ON COLUMN app.favorite.collection IS 'favorites, owned, or a name of the user''s own.';
COMMENT ON COLUMN app.favorite.source IS 'Source of the item, e.g. jikan.';
COMMENT ON COLUMN app.favorite.kind IS 'Kind within the source, e.g. anime.';
COMMENT ON COLUMN app.favorite.id IS 'Id within the kind, e.g. the mal_id.';
COMMENT ON COLUMN app.favorite.note IS 'The user''s own words.';
COMMENT ON COLUMN app.favorite.added_at IS 'When it was added.';
COMMENT ON COLUMN app.favorite.rank_at_add IS 'The item''s rank at its source when it was added; null if it had none, or if nothing was known of it.';
COMMENT ON COLUMN app.favorite.status IS 'watching, reading, completed, on-hold, dropped, plan-to-watch or plan-to-read.';
COMMENT ON COLUMN app.favorite.my_score IS 'The user''s own score, 1–10.';
COMMENT ON COLUMN app.favorite.episodes_watched IS 'Episodes that the user has watched.';
COMMENT ON COLUMN app.favorite.chapters_read IS 'Chapters that the user has read.';
COMMENT ON COLUMN app.favorite.volumes_read IS 'Volumes that the user has read.';
COMMENT ON COLUMN app.favorite.started_on IS 'When the user began: a date, a month (2020-04) or a year.';
COMMENT ON COLUMN app.favorite.finished_on IS 'When the user finished: a date, a month (2020-04) or a year.';
COMMENT ON COLUMN app.favorite.tags IS 'The user''s tags, separated by commas.';

-- The Jikan (MyAnimeList) mirror: documents apart from the counters that move every day.

CREATE SCHEMA jikan;
COMMENT ON SCHEMA jikan IS 'Mirror of MyAnimeList as Jikan v4 and its successors serve it. Read jikan.anime, jikan.manga and jikan.ranking_entry.';

-- Only the id of an item is required: what does not fit its column is null, and the document keeps what was sent.
--
-- The time when a row's content was requested decides which of two readings is newer, in the other sources too. The
-- time of the write cannot: a page that is committed late has old content, and a clock that was set back leaves writes
-- that seem to come later.
CREATE TABLE jikan.media (
  kind           text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id         bigint NOT NULL,
  title          text,
  title_english  text,
  title_japanese text,
  type           text,
  source         text,
  episodes       integer,
  chapters       integer,
  volumes        integer,
  status         text,
  ongoing        boolean,
  started_at     timestamptz,
  rating         text,
  season         text,
  year           integer,
  url            text,
  image_url      text,
  synopsis       text,
  raw            jsonb COMPRESSION lz4 NOT NULL,
  content_hash   bytea NOT NULL CHECK (octet_length(content_hash) = 33),
  first_seen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  vanished_at    timestamptz,
  approved       boolean NOT NULL DEFAULT true,
  requested_at   timestamptz,
  PRIMARY KEY (kind, mal_id)
);
-- A walk looks among the items of every page that nobody had to read for those that had vanished. There are hardly any,
-- so an index of them alone answers that.
CREATE INDEX media_vanished ON jikan.media (kind, mal_id) WHERE vanished_at IS NOT NULL;
COMMENT ON TABLE  jikan.media IS 'Anime and manga without the counters that move every day. Read the views jikan.anime and jikan.manga instead.';
COMMENT ON COLUMN jikan.media.kind IS 'anime or manga: two separate spaces of ids.';
COMMENT ON COLUMN jikan.media.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media.title IS 'Main title, usually romanized.';
COMMENT ON COLUMN jikan.media.title_english IS 'English title, if there is one.';
COMMENT ON COLUMN jikan.media.title_japanese IS 'Japanese title, if there is one.';
COMMENT ON COLUMN jikan.media.type IS 'TV, Movie, OVA, Manga, Light Novel, …: an open set.';
COMMENT ON COLUMN jikan.media.source IS 'What an anime was made from: Manga, Original, …; null for manga.';
COMMENT ON COLUMN jikan.media.episodes IS 'Episodes of an anime; null if unknown, and for manga.';
COMMENT ON COLUMN jikan.media.chapters IS 'Chapters of a manga; null if unknown, and for anime.';
COMMENT ON COLUMN jikan.media.volumes IS 'Volumes of a manga; null if unknown, and for anime.';
COMMENT ON COLUMN jikan.media.status IS 'Finished Airing, Publishing, On Hiatus, …: an open set.';
COMMENT ON COLUMN jikan.media.ongoing IS 'Being aired or published now.';
COMMENT ON COLUMN jikan.media.started_at IS 'First airing or publication. A date known only by its year reads as January 1st; the exact words are in raw.';
COMMENT ON COLUMN jikan.media.rating IS 'Age rating of an anime, e.g. PG-13 - Teens 13 or older; null for manga.';
COMMENT ON COLUMN jikan.media.season IS 'winter, spring, summer or fall; null for manga.';
COMMENT ON COLUMN jikan.media.year IS 'Year of the season; null for manga.';
COMMENT ON COLUMN jikan.media.url IS 'Page at MyAnimeList.';
COMMENT ON COLUMN jikan.media.image_url IS 'Poster, JPEG.';
COMMENT ON COLUMN jikan.media.synopsis IS 'Summary of the plot.';
COMMENT ON COLUMN jikan.media.raw IS 'The whole item as it was when it was last written whole; the views hold today''s counters.';
COMMENT ON COLUMN jikan.media.content_hash IS 'SHA-256 of the item''s canonical form without the counters, and of the version of the mapping.';
COMMENT ON COLUMN jikan.media.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN jikan.media.changed_at IS 'When anything but a counter last changed, or when it vanished or came back.';
COMMENT ON COLUMN jikan.media.vanished_at IS 'When it was found to be gone upstream; null while it is there.';
COMMENT ON COLUMN jikan.media.approved IS 'Whether MyAnimeList has approved the entry; most services leave the others out of their catalogues.';
COMMENT ON COLUMN jikan.media.requested_at IS 'When the stored document, or the proof that the item vanished or returned, was requested.';

-- A daily run changes a third of 115,000 counters. At the usual fifth of the table, up to 23,000 dead rows wait; at a
-- twentieth, 5,800, and a vacuum of these narrow rows takes a second. Statistics follow as often: the orders by
-- popularity and members are planned with them.
CREATE TABLE jikan.media_counters (
  kind         text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id       bigint NOT NULL,
  score        numeric,
  scored_by    integer,
  rank         integer,
  popularity   integer,
  members      integer,
  favorites    integer,
  counter_hash bigint NOT NULL,
  changed_at   timestamptz,
  requested_at timestamptz,
  PRIMARY KEY (kind, mal_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
COMMENT ON TABLE  jikan.media_counters IS 'The counters that move every day, apart from the documents, so that a day on which only they moved costs little.';
COMMENT ON COLUMN jikan.media_counters.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_counters.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media_counters.score IS 'Mean score 1–10 as the upstream gives it; 0 and null both mean undetermined.';
COMMENT ON COLUMN jikan.media_counters.scored_by IS 'People who gave a score.';
COMMENT ON COLUMN jikan.media_counters.rank IS 'MyAnimeList''s own rank; null or 0 if unranked. Not the position in the list, and not unique.';
COMMENT ON COLUMN jikan.media_counters.popularity IS 'Rank by members.';
COMMENT ON COLUMN jikan.media_counters.members IS 'People who have it on their list.';
COMMENT ON COLUMN jikan.media_counters.favorites IS 'People who have it among their favorites.';
COMMENT ON COLUMN jikan.media_counters.counter_hash IS 'Hash of the counters'' canonical form.';
COMMENT ON COLUMN jikan.media_counters.changed_at IS 'When a counter last changed; null if that was before this column was added.';
COMMENT ON COLUMN jikan.media_counters.requested_at IS 'When the stored counters were requested.';

-- A list that moves rewrites the positions of most of its entries. With room in their pages the new row versions need
-- no new index entries.
CREATE TABLE jikan.ranking (
  kind     text NOT NULL CHECK (kind IN ('anime', 'manga')),
  subtype  text NOT NULL,
  filter   text NOT NULL,
  mal_id   bigint NOT NULL,
  position integer NOT NULL,
  unread   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, subtype, filter, mal_id)
) WITH (fillfactor = 45);
COMMENT ON TABLE  jikan.ranking IS 'The lists as last published, each replaced as a whole: top lists, seasons, the schedule. sync.publication tells from which run.';
COMMENT ON COLUMN jikan.ranking.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.ranking.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';
COMMENT ON COLUMN jikan.ranking.filter IS 'The upstream''s filter= parameter of a top list, e.g. airing, and none without one; or season:now, season:2024-spring, schedule, schedule:monday.';
COMMENT ON COLUMN jikan.ranking.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.ranking.position IS 'Ordinal in the list, from 1. Repeats are not counted; items without a readable id are counted.';
COMMENT ON COLUMN jikan.ranking.unread IS 'Whether the last walk did not read this entry and had items without a readable id. The position is then the last known one, so another entry can have the same position.';

-- Its rows are from jikan.ranking, whose constraint on kind is enough.
CREATE TABLE jikan.ranking_history (
  kind       text NOT NULL,
  subtype    text NOT NULL,
  filter     text NOT NULL,
  mal_id     bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  position   integer NOT NULL,
  rank       integer,
  score      numeric,
  members    integer,
  favorites  integer,
  unread     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (kind, subtype, filter, mal_id, valid_from)
) PARTITION BY RANGE (valid_from);
-- For the rows that are valid at a time: those that end later, and those that have no end.
CREATE INDEX ranking_history_valid_to ON jikan.ranking_history (kind, subtype, filter, valid_to);
COMMENT ON TABLE  jikan.ranking_history IS 'Entries of the published lists as they were. A row begins when an entry comes in, its score changes, or its position or rank changes within the top positions (see ranking_publication); it ends when the next one begins or the entry leaves. One partition a month.';
COMMENT ON COLUMN jikan.ranking_history.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.ranking_history.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';
COMMENT ON COLUMN jikan.ranking_history.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';
COMMENT ON COLUMN jikan.ranking_history.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.ranking_history.valid_from IS 'When it was published so. At the beginning of what is kept: that time, if it was so before.';
COMMENT ON COLUMN jikan.ranking_history.valid_to IS 'When it was published otherwise, or no more; null while it is so.';
COMMENT ON COLUMN jikan.ranking_history.position IS 'Ordinal in the list at valid_from. Below the top positions it may have changed since without a row.';
COMMENT ON COLUMN jikan.ranking_history.rank IS 'MyAnimeList''s own rank at valid_from; null if unranked. Below the top positions it may have changed since without a row.';
COMMENT ON COLUMN jikan.ranking_history.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.ranking_history.members IS 'People who had it on their list at valid_from; a change of it alone makes no row.';
COMMENT ON COLUMN jikan.ranking_history.favorites IS 'People who had it among their favorites at valid_from; a change of it alone makes no row.';
COMMENT ON COLUMN jikan.ranking_history.unread IS 'Whether the walk did not read this entry and had items without a readable id. The position is then the last known one.';

CREATE TABLE jikan.ranking_publication (
  kind         text NOT NULL CHECK (kind IN ('anime', 'manga')),
  subtype      text NOT NULL,
  filter       text NOT NULL,
  published_at timestamptz NOT NULL,
  run_id       uuid NOT NULL,
  entries      integer NOT NULL,
  positions    integer NOT NULL,
  consistent   boolean NOT NULL,
  PRIMARY KEY (kind, subtype, filter, published_at)
);
COMMENT ON TABLE  jikan.ranking_publication IS 'Each time that a list with a history was published and differed from what was published before. Between two of them the list stood still.';
COMMENT ON COLUMN jikan.ranking_publication.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.ranking_publication.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';
COMMENT ON COLUMN jikan.ranking_publication.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';
COMMENT ON COLUMN jikan.ranking_publication.published_at IS 'When; later than every earlier one of the list. Of the oldest that is kept: the beginning of what is kept, if it was published before.';
COMMENT ON COLUMN jikan.ranking_publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN jikan.ranking_publication.entries IS 'Entries of the list.';
COMMENT ON COLUMN jikan.ranking_publication.positions IS 'So many positions from the top are exact in the history at this time, with their ranks.';
COMMENT ON COLUMN jikan.ranking_publication.consistent IS 'False if the list moved during the walk and did not settle.';

CREATE TABLE jikan.genre (
  kind             text NOT NULL CHECK (kind IN ('anime', 'manga')),
  facet            text NOT NULL CHECK (facet IN ('genres', 'explicit_genres', 'themes', 'demographics')),
  mal_id           bigint NOT NULL,
  name             text,
  url              text,
  count            integer,
  raw              jsonb COMPRESSION lz4 NOT NULL,
  content_hash     bytea NOT NULL CHECK (octet_length(content_hash) = 33),
  counter_hash     bigint NOT NULL,
  first_seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  count_changed_at timestamptz,
  requested_at     timestamptz,
  PRIMARY KEY (kind, facet, mal_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE  jikan.genre IS 'Genres, themes and demographics of anime and manga, each list as last published.';
COMMENT ON COLUMN jikan.genre.kind IS 'anime or manga: two separate spaces of ids.';
COMMENT ON COLUMN jikan.genre.facet IS 'Which list of the kind: genres, explicit_genres, themes or demographics. An id may stand in two of them.';
COMMENT ON COLUMN jikan.genre.mal_id IS 'MyAnimeList''s id, by which the items of jikan.media name it in raw.';
COMMENT ON COLUMN jikan.genre.name IS 'Name, e.g. Action.';
COMMENT ON COLUMN jikan.genre.url IS 'Page at MyAnimeList.';
COMMENT ON COLUMN jikan.genre.count IS 'How many anime or manga have it, as the upstream counts them; moves every day.';
COMMENT ON COLUMN jikan.genre.raw IS 'The whole item as the upstream gave it.';
COMMENT ON COLUMN jikan.genre.content_hash IS 'SHA-256 of the item''s canonical form without the count, and of the version of the mapping.';
COMMENT ON COLUMN jikan.genre.counter_hash IS 'Hash of the count''s canonical form.';
COMMENT ON COLUMN jikan.genre.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN jikan.genre.changed_at IS 'When anything but the count last changed.';
COMMENT ON COLUMN jikan.genre.count_changed_at IS 'When the count last changed; null if that was before this column was added.';
COMMENT ON COLUMN jikan.genre.requested_at IS 'When the stored content was requested.';

-- A table of the owner's, because who writes the mirror decides nothing about what is kept.
CREATE TABLE jikan.ranking_retention (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  kept_days integer CHECK (kept_days > 0),
  set_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  jikan.ranking_retention IS 'How long the history of the rankings is kept: one row, which the owner alone writes.';
COMMENT ON COLUMN jikan.ranking_retention.is_only IS 'Always true: there is one row.';
COMMENT ON COLUMN jikan.ranking_retention.kept_days IS 'Months that ended before so many days are dropped; null keeps all.';
COMMENT ON COLUMN jikan.ranking_retention.set_at IS 'When it was set.';
INSERT INTO jikan.ranking_retention DEFAULT VALUES;

CREATE TABLE jikan.media_title (
  kind   text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id bigint NOT NULL,
  titles text NOT NULL,
  PRIMARY KEY (kind, mal_id)
);
COMMENT ON TABLE  jikan.media_title IS 'All titles of an anime or a manga, made comparable by jikan.fold. Apart from the documents, so that a search reads little.';
COMMENT ON COLUMN jikan.media_title.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_title.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.media_title.titles IS 'The titles, each in a line of its own, the main one first; a line feed before the first and after the last.';

CREATE TABLE jikan.published_order (
  kind      text NOT NULL CHECK (kind IN ('anime', 'manga')),
  subtype   text NOT NULL,
  filter    text NOT NULL,
  taken_at  timestamptz NOT NULL,
  mal_ids   bigint[] COMPRESSION lz4 NOT NULL,
  ranks     integer[] COMPRESSION lz4 NOT NULL,
  positions integer[],
  PRIMARY KEY (kind, subtype, filter, taken_at)
);
COMMENT ON TABLE  jikan.published_order IS 'The top lists in the order of their latest publications, for the pages of a listing that was begun before the last one. Kept for a day after the next publication.';
COMMENT ON COLUMN jikan.published_order.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.published_order.subtype IS 'As in jikan.ranking.';
COMMENT ON COLUMN jikan.published_order.filter IS 'As in jikan.ranking.';
COMMENT ON COLUMN jikan.published_order.taken_at IS 'When it was published.';
COMMENT ON COLUMN jikan.published_order.mal_ids IS 'The entries in order.';
COMMENT ON COLUMN jikan.published_order.ranks IS 'MyAnimeList''s rank of each entry then; null if unranked.';
COMMENT ON COLUMN jikan.published_order.positions IS 'The positions of mal_ids, negative for unread entries. Null if the positions are 1, 2, 3 and so on.';

-- As one row for each link, a first load spent most of its writing here.
CREATE TABLE jikan.media_links (
  kind       text NOT NULL CHECK (kind IN ('anime', 'manga')),
  mal_id     bigint NOT NULL,
  facets     text[] COLLATE "C" NOT NULL,
  linked_ids bigint[] NOT NULL,
  names      text[] COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, mal_id),
  CHECK (cardinality(linked_ids) = cardinality(facets) AND cardinality(names) = cardinality(facets))
);
CREATE INDEX media_links_names ON jikan.media_links USING gin (names);
COMMENT ON TABLE  jikan.media_links IS 'All that a document of jikan.media links to: genres, companies, people, magazines. Read jikan.media_genre, jikan.anime_studio and the other views over it, which have a row for each link.';
COMMENT ON COLUMN jikan.media_links.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.media_links.mal_id IS 'MyAnimeList''s id of the anime or manga.';
COMMENT ON COLUMN jikan.media_links.facets IS 'The member of the document that has the link, for each: genres, explicit_genres, themes, demographics, studios, producers, licensors, authors or serializations. Links are in the order of their facets and ids.';
COMMENT ON COLUMN jikan.media_links.linked_ids IS 'MyAnimeList''s ids of the genres, companies, people and magazines, in the same order.';
COMMENT ON COLUMN jikan.media_links.names IS 'Their names, as the document has them, in the same order.';

-- The PokeAPI mirror: every document of every endpoint, and tables of what people ask for, derived from the documents
-- in the transaction that stores them. Derivation never fails: what is missing, null or of another type than expected
-- gives nulls or no rows. There are no foreign keys, because the documents come in any order.

CREATE SCHEMA pokeapi;
COMMENT ON SCHEMA pokeapi IS 'Mirror of PokeAPI v2. Begin with the view pokeapi.pokedex and the function pokeapi.matchup; pokeapi.resource holds every document.';

CREATE TABLE pokeapi.resource (
  endpoint      text NOT NULL,
  id            bigint NOT NULL,
  name          text,
  raw           jsonb COMPRESSION lz4 NOT NULL,
  content_hash  bytea NOT NULL CHECK (octet_length(content_hash) = 33),
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  vanished_at   timestamptz,
  requested_at  timestamptz,
  PRIMARY KEY (endpoint, id)
);
-- So that lists leave the few vanished ones out without reading the others.
CREATE INDEX resource_vanished ON pokeapi.resource (endpoint, id) WHERE vanished_at IS NOT NULL;
COMMENT ON TABLE  pokeapi.resource IS 'Every document of every endpoint as it came. The other tables of the schema are derived from it.';
COMMENT ON COLUMN pokeapi.resource.endpoint IS 'Endpoint of the upstream, e.g. pokemon; pokemon-encounters for the lists of where a Pokémon is met.';
COMMENT ON COLUMN pokeapi.resource.id IS 'The upstream''s id within the endpoint, which may be 0 or -1; of a list of encounters that of the Pokémon.';
COMMENT ON COLUMN pokeapi.resource.name IS 'Name in links and addresses; not unique (two items are called roseli-berry), and null in endpoints without names.';
COMMENT ON COLUMN pokeapi.resource.raw IS 'The whole document as it came; its links may be absolute or relative.';
COMMENT ON COLUMN pokeapi.resource.content_hash IS 'SHA-256 of the document''s canonical form, in which the order of arrays does not count, and of the version of the mapping (last byte).';
COMMENT ON COLUMN pokeapi.resource.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN pokeapi.resource.changed_at IS 'When it last changed, vanished or came back.';
COMMENT ON COLUMN pokeapi.resource.vanished_at IS 'When it was found to be gone upstream; null while it is there. What was derived from it stays.';
COMMENT ON COLUMN pokeapi.resource.requested_at IS 'When the stored document, or the proof that the item vanished or returned, was requested.';

CREATE TABLE pokeapi.name (
  endpoint    text NOT NULL,
  id          bigint NOT NULL,
  language    text NOT NULL,
  language_id bigint,
  name        text NOT NULL,
  PRIMARY KEY (endpoint, id, language)
);
COMMENT ON TABLE  pokeapi.name IS 'Names in the languages of the games, of every document that has names.';
COMMENT ON COLUMN pokeapi.name.endpoint IS 'Endpoint of the document; of a Pokémon pokemon-species, of one of its forms pokemon-form.';
COMMENT ON COLUMN pokeapi.name.id IS 'Id of the document.';
COMMENT ON COLUMN pokeapi.name.language IS 'Language as the upstream writes it, e.g. en, ja, ja-hrkt, zh-hant.';
COMMENT ON COLUMN pokeapi.name.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.name.name IS 'Name in that language.';

CREATE TABLE pokeapi.effect (
  endpoint     text NOT NULL,
  id           bigint NOT NULL,
  language     text NOT NULL,
  language_id  bigint,
  short_effect text,
  effect       text,
  PRIMARY KEY (endpoint, id, language)
);
COMMENT ON TABLE  pokeapi.effect IS 'What moves, abilities and items do, in the languages that the upstream has.';
COMMENT ON COLUMN pokeapi.effect.endpoint IS 'move, ability or item.';
COMMENT ON COLUMN pokeapi.effect.id IS 'Id of the document.';
COMMENT ON COLUMN pokeapi.effect.language IS 'Language, mostly en.';
COMMENT ON COLUMN pokeapi.effect.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.effect.short_effect IS 'In a sentence. $effect_chance stands for the column of that name.';
COMMENT ON COLUMN pokeapi.effect.effect IS 'At length, with line breaks.';

CREATE TABLE pokeapi.language (
  id       bigint PRIMARY KEY,
  name     text,
  iso639   text,
  iso3166  text,
  official boolean
);
COMMENT ON TABLE  pokeapi.language IS 'Languages of the texts.';
COMMENT ON COLUMN pokeapi.language.id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.language.name IS 'As the other tables write it, e.g. zh-hant.';
COMMENT ON COLUMN pokeapi.language.iso639 IS 'Two letters of the language, e.g. zh.';
COMMENT ON COLUMN pokeapi.language.iso3166 IS 'Two letters of a country, e.g. tw.';
COMMENT ON COLUMN pokeapi.language.official IS 'Whether games are published in it.';

CREATE TABLE pokeapi.version (
  id               bigint PRIMARY KEY,
  name             text,
  version_group_id bigint,
  version_group    text
);
COMMENT ON TABLE  pokeapi.version IS 'Games.';
COMMENT ON COLUMN pokeapi.version.id IS 'Id of the game; not in the order of publication.';
COMMENT ON COLUMN pokeapi.version.name IS 'E.g. red.';
COMMENT ON COLUMN pokeapi.version.version_group_id IS 'Id of the games that were published together.';
COMMENT ON COLUMN pokeapi.version.version_group IS 'Name of the games that were published together in links and addresses.';

CREATE TABLE pokeapi.version_group (
  id            bigint PRIMARY KEY,
  name          text,
  "order"       integer,
  generation_id bigint,
  generation    text
);
COMMENT ON TABLE  pokeapi.version_group IS 'Games that were published together.';
COMMENT ON COLUMN pokeapi.version_group.id IS 'Id of the group; not in the order of publication.';
COMMENT ON COLUMN pokeapi.version_group.name IS 'E.g. red-blue.';
COMMENT ON COLUMN pokeapi.version_group."order" IS 'Order of publication.';
COMMENT ON COLUMN pokeapi.version_group.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.version_group.generation IS 'Its name in links, e.g. generation-i.';

CREATE TABLE pokeapi.pokemon (
  id                 bigint PRIMARY KEY,
  name               text,
  species_id         bigint,
  species            text,
  is_default         boolean,
  height             integer,
  weight             integer,
  base_experience    integer,
  "order"            integer,
  total              integer,
  sprite_url         text,
  sprite_female_url  text,
  artwork_url        text,
  artwork_female_url text,
  cry_url            text
);
COMMENT ON TABLE  pokeapi.pokemon IS 'Pokémon and their forms of other stats, types or abilities: what a battle knows. Species are in pokeapi.species.';
COMMENT ON COLUMN pokeapi.pokemon.id IS '1 to 1025 are the National Pokédex; forms begin at 10001.';
COMMENT ON COLUMN pokeapi.pokemon.name IS 'Name in links, e.g. pikachu or meowth-alola.';
COMMENT ON COLUMN pokeapi.pokemon.species_id IS 'Id of the species.';
COMMENT ON COLUMN pokeapi.pokemon.species IS 'Name of the species in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon.is_default IS 'Whether it is the form by which the species is shown.';
COMMENT ON COLUMN pokeapi.pokemon.height IS 'In decimetres.';
COMMENT ON COLUMN pokeapi.pokemon.weight IS 'In hectograms.';
COMMENT ON COLUMN pokeapi.pokemon.base_experience IS 'Experience for defeating it; null if unknown.';
COMMENT ON COLUMN pokeapi.pokemon."order" IS 'Order in which families stand together; -1 if there is none.';
COMMENT ON COLUMN pokeapi.pokemon.total IS 'Sum of the six base stats.';
COMMENT ON COLUMN pokeapi.pokemon.sprite_url IS 'Small picture.';
COMMENT ON COLUMN pokeapi.pokemon.sprite_female_url IS 'Small picture of a female; null if she looks the same.';
COMMENT ON COLUMN pokeapi.pokemon.artwork_url IS 'Large picture.';
COMMENT ON COLUMN pokeapi.pokemon.artwork_female_url IS 'Large picture of a female, of another series than artwork_url; null if she looks the same.';
COMMENT ON COLUMN pokeapi.pokemon.cry_url IS 'Its cry, as sound.';

CREATE TABLE pokeapi.pokemon_type (
  pokemon_id bigint NOT NULL,
  slot       integer NOT NULL,
  type_id    bigint,
  type       text,
  PRIMARY KEY (pokemon_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_type IS 'Types of Pokémon today.';
COMMENT ON COLUMN pokeapi.pokemon_type.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_type.slot IS '1 or 2.';
COMMENT ON COLUMN pokeapi.pokemon_type.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.pokemon_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.pokemon_past_type (
  pokemon_id    bigint NOT NULL,
  generation_id bigint NOT NULL,
  slot          integer NOT NULL,
  type_id       bigint,
  type          text,
  PRIMARY KEY (pokemon_id, generation_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_past_type IS 'Types that Pokémon had in earlier generations.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.generation_id IS 'Last generation in which it had them.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.slot IS '1 or 2.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.pokemon_stat (
  pokemon_id bigint NOT NULL,
  stat_id    bigint NOT NULL,
  stat       text,
  base_stat  integer,
  effort     integer,
  PRIMARY KEY (pokemon_id, stat_id)
);
COMMENT ON TABLE  pokeapi.pokemon_stat IS 'Base stats of Pokémon today.';
COMMENT ON COLUMN pokeapi.pokemon_stat.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_stat.stat_id IS 'Id of the stat: 1 to 6 in the usual order.';
COMMENT ON COLUMN pokeapi.pokemon_stat.stat IS 'hp, attack, defense, special-attack, special-defense or speed.';
COMMENT ON COLUMN pokeapi.pokemon_stat.base_stat IS 'The base stat.';
COMMENT ON COLUMN pokeapi.pokemon_stat.effort IS 'Effort points for defeating it.';

CREATE TABLE pokeapi.pokemon_past_stat (
  pokemon_id    bigint NOT NULL,
  generation_id bigint NOT NULL,
  stat_id       bigint NOT NULL,
  stat          text,
  base_stat     integer,
  effort        integer,
  PRIMARY KEY (pokemon_id, generation_id, stat_id)
);
COMMENT ON TABLE  pokeapi.pokemon_past_stat IS 'Base stats that Pokémon had in earlier generations, where they were others.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.generation_id IS 'Last generation in which it had it.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.stat_id IS 'Id of the stat; 9 is the special of the first generation.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.stat IS 'Name of the stat.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.base_stat IS 'The base stat.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.effort IS 'Effort points for defeating it.';

CREATE TABLE pokeapi.pokemon_ability (
  pokemon_id bigint NOT NULL,
  slot       integer NOT NULL,
  ability_id bigint,
  ability    text,
  is_hidden  boolean,
  PRIMARY KEY (pokemon_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_ability IS 'Abilities of Pokémon today.';
COMMENT ON COLUMN pokeapi.pokemon_ability.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_ability.slot IS '1, 2, or 3 for the hidden one.';
COMMENT ON COLUMN pokeapi.pokemon_ability.ability_id IS 'Id of the ability.';
COMMENT ON COLUMN pokeapi.pokemon_ability.ability IS 'Name of the ability in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon_ability.is_hidden IS 'Whether it is the hidden ability.';

CREATE TABLE pokeapi.pokemon_form (
  id               bigint PRIMARY KEY,
  name             text,
  form_name        text,
  pokemon_id       bigint,
  pokemon          text,
  version_group_id bigint,
  version_group    text,
  "order"          integer,
  form_order       integer,
  is_default       boolean,
  is_battle_only   boolean,
  is_mega          boolean,
  sprite_url       text
);
COMMENT ON TABLE  pokeapi.pokemon_form IS 'Every form of every Pokémon, those that differ in looks alone included.';
COMMENT ON COLUMN pokeapi.pokemon_form.id IS 'Id of the form.';
COMMENT ON COLUMN pokeapi.pokemon_form.name IS 'Name in links, e.g. unown-b.';
COMMENT ON COLUMN pokeapi.pokemon_form.form_name IS 'What tells it apart within the Pokémon, e.g. b; empty for the usual form.';
COMMENT ON COLUMN pokeapi.pokemon_form.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_form.pokemon IS 'Name of the Pokémon in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon_form.version_group_id IS 'Id of the games in which it came.';
COMMENT ON COLUMN pokeapi.pokemon_form.version_group IS 'Name of the games in which it came in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon_form."order" IS 'Order among all forms.';
COMMENT ON COLUMN pokeapi.pokemon_form.form_order IS 'Order among the forms of the species.';
COMMENT ON COLUMN pokeapi.pokemon_form.is_default IS 'Whether it is the usual form of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_form.is_battle_only IS 'Whether it lasts for a battle only.';
COMMENT ON COLUMN pokeapi.pokemon_form.is_mega IS 'Whether it is a mega evolution.';
COMMENT ON COLUMN pokeapi.pokemon_form.sprite_url IS 'Small picture.';

CREATE TABLE pokeapi.pokemon_form_type (
  form_id bigint NOT NULL,
  slot    integer NOT NULL,
  type_id bigint,
  type    text,
  PRIMARY KEY (form_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_form_type IS 'Types of forms.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.form_id IS 'Id of the form.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.slot IS '1 or 2.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.species (
  id                      bigint PRIMARY KEY,
  name                    text,
  "order"                 integer,
  generation_id           bigint,
  generation              text,
  is_baby                 boolean,
  is_legendary            boolean,
  is_mythical             boolean,
  has_gender_differences  boolean,
  forms_switchable        boolean,
  color_id                bigint,
  color                   text,
  shape_id                bigint,
  shape                   text,
  habitat_id              bigint,
  habitat                 text,
  growth_rate_id          bigint,
  growth_rate             text,
  capture_rate            integer,
  base_happiness          integer,
  gender_rate             integer,
  hatch_counter           integer,
  evolves_from_species_id bigint,
  evolves_from_species    text,
  evolution_chain_id      bigint
);
COMMENT ON TABLE  pokeapi.species IS 'Species: what the Pokédex numbers.';
COMMENT ON COLUMN pokeapi.species.id IS 'Number in the National Pokédex.';
COMMENT ON COLUMN pokeapi.species.name IS 'Name in links, e.g. pikachu.';
COMMENT ON COLUMN pokeapi.species."order" IS 'Order in which families stand together.';
COMMENT ON COLUMN pokeapi.species.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.species.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.species.is_baby IS 'Whether it is a baby Pokémon.';
COMMENT ON COLUMN pokeapi.species.is_legendary IS 'Whether it is legendary.';
COMMENT ON COLUMN pokeapi.species.is_mythical IS 'Whether it is mythical.';
COMMENT ON COLUMN pokeapi.species.has_gender_differences IS 'Whether females look different.';
COMMENT ON COLUMN pokeapi.species.forms_switchable IS 'Whether it can change its form.';
COMMENT ON COLUMN pokeapi.species.color_id IS 'Id of the color.';
COMMENT ON COLUMN pokeapi.species.color IS 'Name of the color in links and addresses.';
COMMENT ON COLUMN pokeapi.species.shape_id IS 'Id of the shape.';
COMMENT ON COLUMN pokeapi.species.shape IS 'Name of the shape in links and addresses.';
COMMENT ON COLUMN pokeapi.species.habitat_id IS 'Id of the habitat; null since the fourth generation.';
COMMENT ON COLUMN pokeapi.species.habitat IS 'Name of the habitat; null since the fourth generation in links and addresses.';
COMMENT ON COLUMN pokeapi.species.growth_rate_id IS 'Id of the growth rate.';
COMMENT ON COLUMN pokeapi.species.growth_rate IS 'Name of the growth rate in links and addresses.';
COMMENT ON COLUMN pokeapi.species.capture_rate IS 'How easily it is caught, to 255.';
COMMENT ON COLUMN pokeapi.species.base_happiness IS 'Friendship when it is caught, to 255.';
COMMENT ON COLUMN pokeapi.species.gender_rate IS 'Chance of a female in eighths; -1 without gender.';
COMMENT ON COLUMN pokeapi.species.hatch_counter IS 'Cycles until its egg hatches.';
COMMENT ON COLUMN pokeapi.species.evolves_from_species_id IS 'Id of the species it evolves from; null if it is the first of its family.';
COMMENT ON COLUMN pokeapi.species.evolves_from_species IS 'Name of the species it evolves from; null if it is the first of its family in links and addresses.';
COMMENT ON COLUMN pokeapi.species.evolution_chain_id IS 'Family, as in pokeapi.evolution.';

CREATE TABLE pokeapi.species_egg_group (
  species_id   bigint NOT NULL,
  egg_group_id bigint NOT NULL,
  egg_group    text,
  PRIMARY KEY (species_id, egg_group_id)
);
COMMENT ON TABLE  pokeapi.species_egg_group IS 'Egg groups of species.';
COMMENT ON COLUMN pokeapi.species_egg_group.species_id IS 'Number of the species.';
COMMENT ON COLUMN pokeapi.species_egg_group.egg_group_id IS 'Id of the egg group.';
COMMENT ON COLUMN pokeapi.species_egg_group.egg_group IS 'Name of the egg group in links.';

CREATE TABLE pokeapi.species_text (
  species_id  bigint NOT NULL,
  language    text NOT NULL,
  language_id bigint,
  version_id  bigint NOT NULL,
  version     text,
  text        text NOT NULL,
  PRIMARY KEY (species_id, language, version_id)
);
COMMENT ON TABLE  pokeapi.species_text IS 'Texts of the Pokédex per game and language, without the line and page breaks of the games'' windows.';
COMMENT ON COLUMN pokeapi.species_text.species_id IS 'Number of the species.';
COMMENT ON COLUMN pokeapi.species_text.language IS 'Language as in pokeapi.name.';
COMMENT ON COLUMN pokeapi.species_text.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.species_text.version_id IS 'Id of the game; see pokeapi.version.';
COMMENT ON COLUMN pokeapi.species_text.version IS 'Name of the game.';
COMMENT ON COLUMN pokeapi.species_text.text IS 'The text. In Chinese the lines are joined without a space, in Japanese with an ideographic one.';

CREATE TABLE pokeapi.species_genus (
  species_id  bigint NOT NULL,
  language    text NOT NULL,
  language_id bigint,
  genus       text NOT NULL,
  PRIMARY KEY (species_id, language)
);
COMMENT ON TABLE  pokeapi.species_genus IS 'What kind of Pokémon a species is said to be, per language.';
COMMENT ON COLUMN pokeapi.species_genus.species_id IS 'Number of the species.';
COMMENT ON COLUMN pokeapi.species_genus.language IS 'Language as in pokeapi.name.';
COMMENT ON COLUMN pokeapi.species_genus.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.species_genus.genus IS 'E.g. Mouse Pokémon.';

CREATE TABLE pokeapi.pokedex_number (
  species_id   bigint NOT NULL,
  pokedex_id   bigint NOT NULL,
  pokedex      text,
  entry_number integer,
  PRIMARY KEY (species_id, pokedex_id)
);
COMMENT ON TABLE  pokeapi.pokedex_number IS 'Numbers of species in the Pokédexes.';
COMMENT ON COLUMN pokeapi.pokedex_number.species_id IS 'Number of the species in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex_number.pokedex_id IS 'Id of the Pokédex; 1 is the national one.';
COMMENT ON COLUMN pokeapi.pokedex_number.pokedex IS 'Name of the Pokédex in links.';
COMMENT ON COLUMN pokeapi.pokedex_number.entry_number IS 'Number in that Pokédex.';

CREATE TABLE pokeapi.evolution_chain (
  id                   bigint PRIMARY KEY,
  species_id           bigint,
  species              text,
  baby_trigger_item_id bigint,
  baby_trigger_item    text
);
COMMENT ON TABLE  pokeapi.evolution_chain IS 'Families: the species that each begins with.';
COMMENT ON COLUMN pokeapi.evolution_chain.id IS 'Id of the family.';
COMMENT ON COLUMN pokeapi.evolution_chain.species_id IS 'Id of the first species.';
COMMENT ON COLUMN pokeapi.evolution_chain.species IS 'Name of the first species in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution_chain.baby_trigger_item_id IS 'Id of the item that a parent must hold for the baby to be bred.';
COMMENT ON COLUMN pokeapi.evolution_chain.baby_trigger_item IS 'Name of the item that a parent must hold for the baby to be bred in links and addresses.';

CREATE TABLE pokeapi.evolution (
  chain_id                bigint NOT NULL,
  species_id              bigint NOT NULL,
  ordinal                 integer NOT NULL,
  species                 text,
  from_species_id         bigint,
  from_species            text,
  is_baby                 boolean,
  sentence                text NOT NULL,
  is_default              boolean,
  version_group_id        bigint,
  version_group           text,
  trigger_id              bigint,
  trigger                 text,
  item_id                 bigint,
  item                    text,
  held_item_id            bigint,
  held_item               text,
  known_move_id           bigint,
  known_move              text,
  known_move_type_id      bigint,
  known_move_type         text,
  used_move_id            bigint,
  used_move               text,
  location_id             bigint,
  location                text,
  region_id               bigint,
  region                  text,
  party_species_id        bigint,
  party_species           text,
  party_type_id           bigint,
  party_type              text,
  trade_species_id        bigint,
  trade_species           text,
  base_form_id            bigint,
  base_form               text,
  evolved_form_id         bigint,
  evolved_form            text,
  gender                  integer,
  min_level               integer,
  min_happiness           integer,
  min_affection           integer,
  min_beauty              integer,
  min_damage_taken        integer,
  min_move_count          integer,
  min_steps               integer,
  relative_physical_stats integer,
  time_of_day             text,
  near_special_rock       boolean,
  needs_multiplayer       boolean,
  needs_overworld_rain    boolean,
  turn_upside_down        boolean,
  PRIMARY KEY (chain_id, species_id, ordinal)
);
COMMENT ON TABLE  pokeapi.evolution IS 'How species evolve: a row for each way from one to the next. Conditions of a row hold together; null where there is none.';
COMMENT ON COLUMN pokeapi.evolution.chain_id IS 'Id of the family.';
COMMENT ON COLUMN pokeapi.evolution.species_id IS 'Number of the species that comes of it.';
COMMENT ON COLUMN pokeapi.evolution.ordinal IS 'Counts the ways to that species from 1, in the order of version_group_id.';
COMMENT ON COLUMN pokeapi.evolution.species IS 'Name of the species that comes of it.';
COMMENT ON COLUMN pokeapi.evolution.from_species_id IS 'Id of the species that evolves.';
COMMENT ON COLUMN pokeapi.evolution.from_species IS 'Name of the species that evolves in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.is_baby IS 'Whether the species that comes of it is a baby Pokémon.';
COMMENT ON COLUMN pokeapi.evolution.sentence IS 'Trigger and conditions in English, e.g. level up with high friendship (160), during the day.';
COMMENT ON COLUMN pokeapi.evolution.is_default IS 'Whether the upstream holds it for the usual way; more than one may be.';
COMMENT ON COLUMN pokeapi.evolution.version_group_id IS 'Id of the games that brought this way.';
COMMENT ON COLUMN pokeapi.evolution.version_group IS 'Name of the games that brought this way in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.trigger_id IS 'Id of the trigger, e.g. level-up, trade, use-item.';
COMMENT ON COLUMN pokeapi.evolution.trigger IS 'Name of the trigger, e.g. level-up, trade, use-item in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.item_id IS 'Id of the item that is used.';
COMMENT ON COLUMN pokeapi.evolution.item IS 'Name of the item that is used in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.held_item_id IS 'Id of the item that it must hold.';
COMMENT ON COLUMN pokeapi.evolution.held_item IS 'Name of the item that it must hold in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.known_move_id IS 'Id of a move that it must know.';
COMMENT ON COLUMN pokeapi.evolution.known_move IS 'Name of a move that it must know in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.known_move_type_id IS 'Id of a type of which it must know a move.';
COMMENT ON COLUMN pokeapi.evolution.known_move_type IS 'Name of a type of which it must know a move in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.used_move_id IS 'Id of a move that it must have used.';
COMMENT ON COLUMN pokeapi.evolution.used_move IS 'Name of a move that it must have used in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.location_id IS 'Id of the place where it must be.';
COMMENT ON COLUMN pokeapi.evolution.location IS 'Name of the place where it must be in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.region_id IS 'Id of the region where it must be.';
COMMENT ON COLUMN pokeapi.evolution.region IS 'Name of the region where it must be in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.party_species_id IS 'Id of a species that must be in the party.';
COMMENT ON COLUMN pokeapi.evolution.party_species IS 'Name of a species that must be in the party in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.party_type_id IS 'Id of a type that another Pokémon in the party must have.';
COMMENT ON COLUMN pokeapi.evolution.party_type IS 'Name of a type that another Pokémon in the party must have in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.trade_species_id IS 'Id of the species that it must be traded for.';
COMMENT ON COLUMN pokeapi.evolution.trade_species IS 'Name of the species that it must be traded for in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.base_form_id IS 'Id of the form of the species that evolves, as a Pokémon.';
COMMENT ON COLUMN pokeapi.evolution.base_form IS 'Name of the form of the species that evolves, as a Pokémon in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.evolved_form_id IS 'Id of the form of the species that comes of it, as a Pokémon.';
COMMENT ON COLUMN pokeapi.evolution.evolved_form IS 'Name of the form of the species that comes of it, as a Pokémon in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.gender IS '1 if it must be female, 2 if male.';
COMMENT ON COLUMN pokeapi.evolution.min_level IS 'Level that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_happiness IS 'Friendship that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_affection IS 'Affection that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_beauty IS 'Beauty that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_damage_taken IS 'Damage that it must have taken.';
COMMENT ON COLUMN pokeapi.evolution.min_move_count IS 'How often it must have used the move.';
COMMENT ON COLUMN pokeapi.evolution.min_steps IS 'Steps that it must have been led.';
COMMENT ON COLUMN pokeapi.evolution.relative_physical_stats IS '1 if its attack must be higher than its defense, -1 if lower, 0 if equal.';
COMMENT ON COLUMN pokeapi.evolution.time_of_day IS 'day, night, dusk, full-moon.';
COMMENT ON COLUMN pokeapi.evolution.near_special_rock IS 'Whether it must be near a special rock.';
COMMENT ON COLUMN pokeapi.evolution.needs_multiplayer IS 'Whether it takes several players.';
COMMENT ON COLUMN pokeapi.evolution.needs_overworld_rain IS 'Whether it must rain outside of battle.';
COMMENT ON COLUMN pokeapi.evolution.turn_upside_down IS 'Whether the console must be held upside down.';

CREATE TABLE pokeapi.type (
  id                   bigint PRIMARY KEY,
  name                 text,
  generation_id        bigint,
  generation           text,
  move_damage_class_id bigint,
  move_damage_class    text,
  is_battle            boolean
);
COMMENT ON TABLE  pokeapi.type IS 'Types of Pokémon and moves.';
COMMENT ON COLUMN pokeapi.type.id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.type.name IS 'E.g. fire.';
COMMENT ON COLUMN pokeapi.type.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.type.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.type.move_damage_class_id IS 'Id of the class of its moves, up to the third generation.';
COMMENT ON COLUMN pokeapi.type.move_damage_class IS 'Name of the class of its moves, up to the third generation in links and addresses.';
COMMENT ON COLUMN pokeapi.type.is_battle IS 'Whether it is strong or weak against others: not stellar, unknown and shadow.';

CREATE TABLE pokeapi.type_relation (
  attacking_type_id bigint NOT NULL,
  defending_type_id bigint NOT NULL,
  generation_id     bigint NOT NULL,
  attacking_type    text,
  defending_type    text,
  multiplier        numeric NOT NULL,
  PRIMARY KEY (attacking_type_id, defending_type_id, generation_id)
);
COMMENT ON TABLE  pokeapi.type_relation IS 'What the types do to one another as their documents say it: pairs without a relation are missing. Read pokeapi.type_efficacy instead.';
COMMENT ON COLUMN pokeapi.type_relation.attacking_type_id IS 'Id of the attacking type, from whose document it is.';
COMMENT ON COLUMN pokeapi.type_relation.defending_type_id IS 'Id of the defending type.';
COMMENT ON COLUMN pokeapi.type_relation.generation_id IS 'Last generation in which it held; 0 for what holds today.';
COMMENT ON COLUMN pokeapi.type_relation.attacking_type IS 'Name of the attacking type.';
COMMENT ON COLUMN pokeapi.type_relation.defending_type IS 'Name of the defending type.';
COMMENT ON COLUMN pokeapi.type_relation.multiplier IS '2, 1, 0.5 or 0.';

CREATE TABLE pokeapi.move (
  id              bigint PRIMARY KEY,
  name            text,
  generation_id   bigint,
  generation      text,
  type_id         bigint,
  type            text,
  damage_class_id bigint,
  damage_class    text,
  power           integer,
  accuracy        integer,
  pp              integer,
  priority        integer,
  effect_chance   integer,
  target_id       bigint,
  target          text,
  category_id     bigint,
  category        text,
  ailment_id      bigint,
  ailment         text,
  ailment_chance  integer,
  flinch_chance   integer,
  stat_chance     integer,
  crit_rate       integer,
  drain           integer,
  healing         integer,
  min_hits        integer,
  max_hits        integer,
  min_turns       integer,
  max_turns       integer
);
COMMENT ON TABLE  pokeapi.move IS 'Moves.';
COMMENT ON COLUMN pokeapi.move.id IS 'Id of the move.';
COMMENT ON COLUMN pokeapi.move.name IS 'E.g. thunder-shock.';
COMMENT ON COLUMN pokeapi.move.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.move.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.move.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.move.type IS 'Name of the type in links and addresses.';
COMMENT ON COLUMN pokeapi.move.damage_class_id IS 'Id of the class: physical, special or status.';
COMMENT ON COLUMN pokeapi.move.damage_class IS 'Name of the class: physical, special or status in links and addresses.';
COMMENT ON COLUMN pokeapi.move.power IS 'Power; null without one.';
COMMENT ON COLUMN pokeapi.move.accuracy IS 'Chance to hit in percent; null if it cannot miss.';
COMMENT ON COLUMN pokeapi.move.pp IS 'How often it can be used.';
COMMENT ON COLUMN pokeapi.move.priority IS 'Moves of higher priority go first.';
COMMENT ON COLUMN pokeapi.move.effect_chance IS 'Chance of the effect in percent.';
COMMENT ON COLUMN pokeapi.move.target_id IS 'Id of the targets that it can be aimed at.';
COMMENT ON COLUMN pokeapi.move.target IS 'Name of the targets that it can be aimed at in links and addresses.';
COMMENT ON COLUMN pokeapi.move.category_id IS 'Id of the category of the effect.';
COMMENT ON COLUMN pokeapi.move.category IS 'Name of the category of the effect in links and addresses.';
COMMENT ON COLUMN pokeapi.move.ailment_id IS 'Id of the ailment.';
COMMENT ON COLUMN pokeapi.move.ailment IS 'Name of the ailment in links and addresses.';
COMMENT ON COLUMN pokeapi.move.ailment_chance IS 'Chance of the ailment in percent.';
COMMENT ON COLUMN pokeapi.move.flinch_chance IS 'Chance that the target flinches, in percent.';
COMMENT ON COLUMN pokeapi.move.stat_chance IS 'Chance that stats change, in percent.';
COMMENT ON COLUMN pokeapi.move.crit_rate IS 'Bonus for critical hits.';
COMMENT ON COLUMN pokeapi.move.drain IS 'Part of the damage that is healed, in percent; negative for recoil.';
COMMENT ON COLUMN pokeapi.move.healing IS 'Part of the full HP that is healed, in percent.';
COMMENT ON COLUMN pokeapi.move.min_hits IS 'Fewest hits; null for one.';
COMMENT ON COLUMN pokeapi.move.max_hits IS 'Most hits; null for one.';
COMMENT ON COLUMN pokeapi.move.min_turns IS 'Fewest turns that the effect lasts.';
COMMENT ON COLUMN pokeapi.move.max_turns IS 'Most turns that the effect lasts.';

CREATE TABLE pokeapi.move_stat_change (
  move_id bigint NOT NULL,
  stat_id bigint NOT NULL,
  stat    text,
  change  integer,
  PRIMARY KEY (move_id, stat_id)
);
COMMENT ON TABLE  pokeapi.move_stat_change IS 'Stats that moves change.';
COMMENT ON COLUMN pokeapi.move_stat_change.move_id IS 'Id of the move.';
COMMENT ON COLUMN pokeapi.move_stat_change.stat_id IS 'Id of the stat.';
COMMENT ON COLUMN pokeapi.move_stat_change.stat IS 'Name of the stat.';
COMMENT ON COLUMN pokeapi.move_stat_change.change IS 'By how many stages.';

CREATE TABLE pokeapi.move_past_value (
  move_id          bigint NOT NULL,
  version_group_id bigint NOT NULL,
  version_group    text,
  type_id          bigint,
  type             text,
  power            integer,
  accuracy         integer,
  pp               integer,
  effect_chance    integer,
  PRIMARY KEY (move_id, version_group_id)
);
COMMENT ON TABLE  pokeapi.move_past_value IS 'Values that moves had in earlier games; null where they are as in the next later games.';
COMMENT ON COLUMN pokeapi.move_past_value.move_id IS 'Id of the move.';
COMMENT ON COLUMN pokeapi.move_past_value.version_group_id IS 'Id of the games that changed the values: they held before.';
COMMENT ON COLUMN pokeapi.move_past_value.version_group IS 'Name of these games.';
COMMENT ON COLUMN pokeapi.move_past_value.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.move_past_value.type IS 'Name of the type in links and addresses.';
COMMENT ON COLUMN pokeapi.move_past_value.power IS 'Power.';
COMMENT ON COLUMN pokeapi.move_past_value.accuracy IS 'Chance to hit in percent.';
COMMENT ON COLUMN pokeapi.move_past_value.pp IS 'How often it could be used.';
COMMENT ON COLUMN pokeapi.move_past_value.effect_chance IS 'Chance of the effect in percent.';

CREATE TABLE pokeapi.ability (
  id             bigint PRIMARY KEY,
  name           text,
  generation_id  bigint,
  generation     text,
  is_main_series boolean
);
COMMENT ON TABLE  pokeapi.ability IS 'Abilities.';
COMMENT ON COLUMN pokeapi.ability.id IS 'Id of the ability.';
COMMENT ON COLUMN pokeapi.ability.name IS 'E.g. static.';
COMMENT ON COLUMN pokeapi.ability.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.ability.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.ability.is_main_series IS 'Whether it is of the main series of games.';

CREATE TABLE pokeapi.item (
  id                  bigint PRIMARY KEY,
  name                text,
  category_id         bigint,
  category            text,
  fling_power         integer,
  fling_effect_id     bigint,
  fling_effect        text,
  baby_trigger_for_id bigint,
  sprite_url          text
);
COMMENT ON TABLE  pokeapi.item IS 'Items.';
COMMENT ON COLUMN pokeapi.item.id IS 'Id of the item.';
COMMENT ON COLUMN pokeapi.item.name IS 'E.g. poke-ball; not unique.';
COMMENT ON COLUMN pokeapi.item.category_id IS 'Id of the category.';
COMMENT ON COLUMN pokeapi.item.category IS 'Name of the category in links and addresses.';
COMMENT ON COLUMN pokeapi.item.fling_power IS 'Power when it is flung.';
COMMENT ON COLUMN pokeapi.item.fling_effect_id IS 'Id of the effect of flinging it.';
COMMENT ON COLUMN pokeapi.item.fling_effect IS 'Name of the effect of flinging it in links and addresses.';
COMMENT ON COLUMN pokeapi.item.baby_trigger_for_id IS 'Family whose baby is bred when a parent holds it.';
COMMENT ON COLUMN pokeapi.item.sprite_url IS 'Small picture.';

CREATE TABLE pokeapi.item_price (
  item_id          bigint NOT NULL,
  version_group_id bigint NOT NULL,
  currency_id      bigint NOT NULL,
  version_group    text,
  currency         text,
  purchase_price   integer,
  sell_price       integer,
  PRIMARY KEY (item_id, version_group_id, currency_id)
);
COMMENT ON TABLE  pokeapi.item_price IS 'Prices of items per game and currency.';
COMMENT ON COLUMN pokeapi.item_price.item_id IS 'Id of the item.';
COMMENT ON COLUMN pokeapi.item_price.version_group_id IS 'Id of the games.';
COMMENT ON COLUMN pokeapi.item_price.currency_id IS 'Id of the currency.';
COMMENT ON COLUMN pokeapi.item_price.version_group IS 'Name of the games.';
COMMENT ON COLUMN pokeapi.item_price.currency IS 'Name of the currency.';
COMMENT ON COLUMN pokeapi.item_price.purchase_price IS 'For which it is bought; null if it is not on sale.';
COMMENT ON COLUMN pokeapi.item_price.sell_price IS 'For which it is sold; null if it cannot be.';

CREATE TABLE pokeapi.nature (
  id                bigint PRIMARY KEY,
  name              text,
  increased_stat_id bigint,
  increased_stat    text,
  decreased_stat_id bigint,
  decreased_stat    text,
  likes_flavor_id   bigint,
  likes_flavor      text,
  hates_flavor_id   bigint,
  hates_flavor      text
);
COMMENT ON TABLE  pokeapi.nature IS 'Natures.';
COMMENT ON COLUMN pokeapi.nature.id IS 'Id of the nature.';
COMMENT ON COLUMN pokeapi.nature.name IS 'E.g. bold.';
COMMENT ON COLUMN pokeapi.nature.increased_stat_id IS 'Id of the stat that grows faster.';
COMMENT ON COLUMN pokeapi.nature.increased_stat IS 'Name of the stat that grows faster in links and addresses.';
COMMENT ON COLUMN pokeapi.nature.decreased_stat_id IS 'Id of the stat that grows slower.';
COMMENT ON COLUMN pokeapi.nature.decreased_stat IS 'Name of the stat that grows slower in links and addresses.';
COMMENT ON COLUMN pokeapi.nature.likes_flavor_id IS 'Id of the flavor that it likes.';
COMMENT ON COLUMN pokeapi.nature.likes_flavor IS 'Name of the flavor that it likes in links and addresses.';
COMMENT ON COLUMN pokeapi.nature.hates_flavor_id IS 'Id of the flavor that it hates.';
COMMENT ON COLUMN pokeapi.nature.hates_flavor IS 'Name of the flavor that it hates in links and addresses.';

CREATE TABLE pokeapi.encounter (
  pokemon_id       bigint NOT NULL,
  location_area_id bigint NOT NULL,
  version_id       bigint NOT NULL,
  ordinal          integer NOT NULL,
  location_area    text,
  version          text,
  method_id        bigint,
  method           text,
  min_level        integer,
  max_level        integer,
  chance           integer,
  max_chance       integer,
  conditions       text[] NOT NULL,
  is_alpha         boolean,
  always_shiny     boolean,
  never_shiny      boolean,
  min_perfect_ivs  integer,
  PRIMARY KEY (pokemon_id, location_area_id, version_id, ordinal)
);
COMMENT ON TABLE  pokeapi.encounter IS 'Where and how Pokémon are met.';
COMMENT ON COLUMN pokeapi.encounter.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.encounter.location_area_id IS 'Id of the area.';
COMMENT ON COLUMN pokeapi.encounter.version_id IS 'Id of the game.';
COMMENT ON COLUMN pokeapi.encounter.ordinal IS 'Counts the ways in that area and game from 1.';
COMMENT ON COLUMN pokeapi.encounter.location_area IS 'Name of the area in links.';
COMMENT ON COLUMN pokeapi.encounter.version IS 'Name of the game.';
COMMENT ON COLUMN pokeapi.encounter.method_id IS 'Id of the way, e.g. walk, surf, old-rod.';
COMMENT ON COLUMN pokeapi.encounter.method IS 'Name of the way, e.g. walk, surf, old-rod in links and addresses.';
COMMENT ON COLUMN pokeapi.encounter.min_level IS 'Lowest level.';
COMMENT ON COLUMN pokeapi.encounter.max_level IS 'Highest level.';
COMMENT ON COLUMN pokeapi.encounter.chance IS 'Chance in percent.';
COMMENT ON COLUMN pokeapi.encounter.max_chance IS 'Chance of all ways in that area and game together, in percent.';
COMMENT ON COLUMN pokeapi.encounter.conditions IS 'What must hold, e.g. time-night; empty if nothing.';
COMMENT ON COLUMN pokeapi.encounter.is_alpha IS 'Whether it is an alpha Pokémon; null if it does not say.';
COMMENT ON COLUMN pokeapi.encounter.always_shiny IS 'Whether it is always shiny; null if it does not say.';
COMMENT ON COLUMN pokeapi.encounter.never_shiny IS 'Whether it is never shiny; null if it does not say.';
COMMENT ON COLUMN pokeapi.encounter.min_perfect_ivs IS 'How many perfect individual values it has at least.';

-- The iTunes mirror: what searches and look-ups answered, and Apple's charts. Items are told apart by storefront, class
-- and id. Their columns are made tolerantly: what is missing, null or of another type than expected gives nulls.

CREATE SCHEMA itunes;
COMMENT ON SCHEMA itunes IS 'Mirror of what the iTunes Search API and Apple''s charts answered. Begin with the views itunes.track, itunes.album and itunes.chart_ranking; itunes.item holds every record.';

CREATE TABLE itunes.item (
  country                 text NOT NULL,
  class                   text NOT NULL,
  id                      bigint NOT NULL,
  wrapper_type            text,
  kind                    text,
  collection_type         text,
  artist_type             text,
  title                   text,
  artist_id               bigint,
  artist_name             text,
  collection_id           bigint,
  collection_name         text,
  track_id                bigint,
  track_name              text,
  bundle_id               text,
  price                   numeric(12,2),
  formatted_price         text,
  currency                text,
  is_sold_singly          boolean,
  track_price             numeric(12,2),
  collection_price        numeric(12,2),
  track_rental_price      numeric(12,2),
  track_hd_price          numeric(12,2),
  track_hd_rental_price   numeric(12,2),
  collection_hd_price     numeric(12,2),
  release_date            date,
  released_at             timestamptz,
  track_time_ms           bigint,
  disc_number             integer,
  disc_count              integer,
  track_number            integer,
  track_count             integer,
  explicitness            text,
  content_advisory_rating text,
  primary_genre           text,
  genres                  text[] NOT NULL DEFAULT '{}',
  file_size_bytes         bigint,
  average_user_rating     numeric(4,2),
  user_rating_count       bigint,
  version                 text,
  preview_url             text,
  artwork_url             text,
  artist_view_url         text,
  collection_view_url     text,
  track_view_url          text,
  feed_url                text,
  search_text             text NOT NULL DEFAULT '',
  raw                     jsonb COMPRESSION lz4 NOT NULL,
  content_hash            bytea NOT NULL CHECK (octet_length(content_hash) = 33),
  first_seen_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  vanished_at             timestamptz,
  requested_at            timestamptz,
  PRIMARY KEY (country, class, id)
);
-- For look-ups by an id whose class is not known.
CREATE INDEX item_id ON itunes.item (id, country);
COMMENT ON TABLE  itunes.item IS 'Every record that a search or a look-up answered: songs, films, albums, artists, podcasts, audiobooks, ebooks, apps. Prices and names are those of one storefront.';
COMMENT ON COLUMN itunes.item.country IS 'Storefront that was asked, two letters, lower case, e.g. tw. The same work may have another id in another one.';
COMMENT ON COLUMN itunes.item.class IS 'track (songs, music videos, films, TV episodes), collection (albums, TV seasons), artist, podcast, podcast-episode, audiobook, ebook, app, or other.';
COMMENT ON COLUMN itunes.item.id IS 'Apple''s id: of the track, else of the collection, else of the artist. Unique within storefront and class.';
COMMENT ON COLUMN itunes.item.wrapper_type IS 'wrapperType as the upstream writes it; ebooks have none.';
COMMENT ON COLUMN itunes.item.kind IS 'song, music-video, feature-movie, tv-episode, podcast, ebook, software, …: an open set. Albums, artists and audiobooks have none.';
COMMENT ON COLUMN itunes.item.collection_type IS 'Of a collection: Album, TV Season, …';
COMMENT ON COLUMN itunes.item.artist_type IS 'Of an artist: Artist, Author, …';
COMMENT ON COLUMN itunes.item.title IS 'The name a person knows it by: of the track, else of the collection, else of the artist.';
COMMENT ON COLUMN itunes.item.artist_id IS 'Apple''s id of the artist, author or seller; null for some compilations.';
COMMENT ON COLUMN itunes.item.artist_name IS 'Artist, author, director or seller.';
COMMENT ON COLUMN itunes.item.collection_id IS 'Apple''s id of the album, season or podcast it is part of.';
COMMENT ON COLUMN itunes.item.collection_name IS 'Album, season or podcast it is part of.';
COMMENT ON COLUMN itunes.item.track_id IS 'Apple''s id of the track; albums, artists and audiobooks have none.';
COMMENT ON COLUMN itunes.item.track_name IS 'Name of the track.';
COMMENT ON COLUMN itunes.item.bundle_id IS 'Of an app, e.g. com.example.app.';
COMMENT ON COLUMN itunes.item.price IS 'What the item itself costs, 0 if it is free: of an album the album, of a song the song. Null if it has no price or is not sold singly.';
COMMENT ON COLUMN itunes.item.formatted_price IS 'Price as the storefront writes it; apps and ebooks alone have it.';
COMMENT ON COLUMN itunes.item.currency IS 'Of the prices, ISO 4217.';
COMMENT ON COLUMN itunes.item.is_sold_singly IS 'False for a track that is sold with its collection alone (the upstream says a price of -1); null if there is no price of a track.';
COMMENT ON COLUMN itunes.item.track_price IS 'Price of the track; null if it is not sold singly.';
COMMENT ON COLUMN itunes.item.collection_price IS 'Price of the collection it is part of; null if that is not sold as a whole.';
COMMENT ON COLUMN itunes.item.track_rental_price IS 'Of a film, for renting it.';
COMMENT ON COLUMN itunes.item.track_hd_price IS 'Of a film or an episode, in HD.';
COMMENT ON COLUMN itunes.item.track_hd_rental_price IS 'Of a film, for renting it in HD.';
COMMENT ON COLUMN itunes.item.collection_hd_price IS 'Of the collection, in HD.';
COMMENT ON COLUMN itunes.item.release_date IS 'Day of the release as the upstream writes it; of a podcast, that of its latest episode.';
COMMENT ON COLUMN itunes.item.released_at IS 'The same with its time of day, which tells something of podcasts and apps alone; null where only a day is given.';
COMMENT ON COLUMN itunes.item.track_time_ms IS 'How long it plays, in milliseconds; that of podcasts comes in seconds.';
COMMENT ON COLUMN itunes.item.disc_number IS 'Disc of the album, from 1.';
COMMENT ON COLUMN itunes.item.disc_count IS 'Discs of the album.';
COMMENT ON COLUMN itunes.item.track_number IS 'Place on the disc, from 1.';
COMMENT ON COLUMN itunes.item.track_count IS 'Tracks of the disc, or of the collection.';
COMMENT ON COLUMN itunes.item.explicitness IS 'explicit, cleaned or notExplicit: of the track, else of the collection.';
COMMENT ON COLUMN itunes.item.content_advisory_rating IS 'Explicit, Clean, PG-13, 4+, …';
COMMENT ON COLUMN itunes.item.primary_genre IS 'Main genre, in the language of the storefront.';
COMMENT ON COLUMN itunes.item.genres IS 'All genres, the main one among them.';
COMMENT ON COLUMN itunes.item.file_size_bytes IS 'Of an app or an ebook.';
COMMENT ON COLUMN itunes.item.average_user_rating IS 'Of an app or an ebook, 0 to 5.';
COMMENT ON COLUMN itunes.item.user_rating_count IS 'How many people rated it.';
COMMENT ON COLUMN itunes.item.version IS 'Of an app.';
COMMENT ON COLUMN itunes.item.preview_url IS 'Where its preview can be streamed.';
COMMENT ON COLUMN itunes.item.artwork_url IS 'The largest artwork that the upstream names.';
COMMENT ON COLUMN itunes.item.artist_view_url IS 'Page of the artist in the store.';
COMMENT ON COLUMN itunes.item.collection_view_url IS 'Page of the collection in the store.';
COMMENT ON COLUMN itunes.item.track_view_url IS 'Page of the track in the store.';
COMMENT ON COLUMN itunes.item.feed_url IS 'RSS feed of a podcast.';
COMMENT ON COLUMN itunes.item.search_text IS 'Title, artist and collection as itunes.folded writes them, for searching in the mirror.';
COMMENT ON COLUMN itunes.item.raw IS 'The whole record as it came.';
COMMENT ON COLUMN itunes.item.content_hash IS 'SHA-256 of the record''s canonical form without what changes by itself, and of the version of the mapping (last byte).';
COMMENT ON COLUMN itunes.item.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN itunes.item.changed_at IS 'When it last changed, vanished or came back.';
COMMENT ON COLUMN itunes.item.vanished_at IS 'When look-ups by its id had missed it twice in a row; null while it is there. That a search leaves it out says nothing.';
COMMENT ON COLUMN itunes.item.requested_at IS 'When the stored record, or the proof that the item vanished or returned, was requested.';

CREATE TABLE itunes.search (
  name         text PRIMARY KEY,
  country      text NOT NULL,
  term         text NOT NULL,
  media        text,
  entity       text,
  attribute    text,
  lang         text,
  result_limit integer
);
COMMENT ON TABLE  itunes.search IS 'Searches that have been published, with what was asked for last.';
COMMENT ON COLUMN itunes.search.name IS 'Name in the configuration; @ and what was asked for, of a search made by a command.';
COMMENT ON COLUMN itunes.search.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.search.term IS 'What was searched for.';
COMMENT ON COLUMN itunes.search.media IS 'The upstream''s media= parameter, e.g. music; null without one, as of the following.';
COMMENT ON COLUMN itunes.search.entity IS 'The upstream''s entity= parameter, e.g. song.';
COMMENT ON COLUMN itunes.search.attribute IS 'The upstream''s attribute= parameter, e.g. artistTerm.';
COMMENT ON COLUMN itunes.search.lang IS 'The upstream''s lang= parameter, e.g. ja_jp.';
COMMENT ON COLUMN itunes.search.result_limit IS 'How many results were asked for at most.';

-- Room in the pages, as in jikan.ranking.
CREATE TABLE itunes.search_result (
  search   text NOT NULL,
  country  text NOT NULL,
  class    text NOT NULL,
  id       bigint NOT NULL,
  position integer NOT NULL,
  unread   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (search, country, class, id)
) WITH (fillfactor = 45);
COMMENT ON TABLE  itunes.search_result IS 'What each search returned last, in the upstream''s order. itunes.search_item joins it with the items.';
COMMENT ON COLUMN itunes.search_result.search IS 'Name of the search.';
COMMENT ON COLUMN itunes.search_result.country IS 'Storefront.';
COMMENT ON COLUMN itunes.search_result.class IS 'Class of the item.';
COMMENT ON COLUMN itunes.search_result.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.search_result.position IS 'Ordinal in the results, from 1. Repeats are not counted; items without a readable id are counted.';
COMMENT ON COLUMN itunes.search_result.unread IS 'Whether the last walk did not read this result and had items without a readable id. The position is then the last known one, so another result can have the same position.';

CREATE TABLE itunes.search_history (
  search     text NOT NULL,
  country    text NOT NULL,
  class      text NOT NULL,
  id         bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  position   integer NOT NULL,
  unread     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (search, country, class, id, valid_from)
);
-- For the rows that are valid at a time: those that end later, and those that have no end.
CREATE INDEX search_history_valid_to ON itunes.search_history (search, valid_to);
COMMENT ON TABLE  itunes.search_history IS 'What the searches returned: a row begins when an item comes in or moves, and ends when it moves again or is not among the results.';
COMMENT ON COLUMN itunes.search_history.search IS 'Name of the search.';
COMMENT ON COLUMN itunes.search_history.country IS 'Storefront.';
COMMENT ON COLUMN itunes.search_history.class IS 'Class of the item.';
COMMENT ON COLUMN itunes.search_history.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.search_history.valid_from IS 'When the search was published with it at this place.';
COMMENT ON COLUMN itunes.search_history.valid_to IS 'When it was published otherwise, or without it; null while it is so.';
COMMENT ON COLUMN itunes.search_history.position IS 'Place among the results, from 1.';
COMMENT ON COLUMN itunes.search_history.unread IS 'Whether the walk did not read this result and had items without a readable id. The position is then the last known one.';

CREATE TABLE itunes.search_publication (
  search       text NOT NULL,
  published_at timestamptz NOT NULL,
  run_id       uuid NOT NULL,
  entries      integer NOT NULL,
  consistent   boolean NOT NULL,
  PRIMARY KEY (search, published_at)
);
COMMENT ON TABLE  itunes.search_publication IS 'Each time that a search was published and differed from what was published before. Between two of them it stood still.';
COMMENT ON COLUMN itunes.search_publication.search IS 'Name of the search.';
COMMENT ON COLUMN itunes.search_publication.published_at IS 'When; later than every earlier one of the search.';
COMMENT ON COLUMN itunes.search_publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN itunes.search_publication.entries IS 'Items that it returned.';
COMMENT ON COLUMN itunes.search_publication.consistent IS 'False if the results moved while they were read.';

CREATE TABLE itunes.lookup_absence (
  country text NOT NULL,
  id      bigint NOT NULL,
  missed  smallint NOT NULL,
  since   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (country, id)
);
COMMENT ON TABLE  itunes.lookup_absence IS 'Ids that the last look-up asked for and did not get. Missed twice in a row, their items are marked as vanished; met again, the row goes.';
COMMENT ON COLUMN itunes.lookup_absence.country IS 'Storefront that was asked.';
COMMENT ON COLUMN itunes.lookup_absence.id IS 'Id that was asked for, of whatever class.';
COMMENT ON COLUMN itunes.lookup_absence.missed IS 'In how many look-ups in a row it was missing: 1, or 2 for two and more.';
COMMENT ON COLUMN itunes.lookup_absence.since IS 'When it was missed first.';

CREATE TABLE itunes.lookup_history (
  number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  action  text NOT NULL CHECK (action IN ('search', 'lookup', 'show')),
  country text NOT NULL,
  term    text,
  id      bigint,
  class   text,
  results integer NOT NULL
);
COMMENT ON TABLE  itunes.lookup_history IS 'What a person searched for, looked up or was shown by commands.';
COMMENT ON COLUMN itunes.lookup_history.number IS 'Number of the entry, in the order of writing.';
COMMENT ON COLUMN itunes.lookup_history.at IS 'When.';
COMMENT ON COLUMN itunes.lookup_history.action IS 'search, lookup (asked of the upstream) or show (from the mirror).';
COMMENT ON COLUMN itunes.lookup_history.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.lookup_history.term IS 'What was searched for; null for an id.';
COMMENT ON COLUMN itunes.lookup_history.id IS 'Id that was looked up or shown; null for a search.';
COMMENT ON COLUMN itunes.lookup_history.class IS 'Class of the item, if it was found; null for a search.';
COMMENT ON COLUMN itunes.lookup_history.results IS 'How many items were found; 0 for none.';

CREATE TABLE itunes.chart_item (
  country                 text NOT NULL,
  type                    text NOT NULL,
  id                      bigint NOT NULL,
  name                    text,
  artist_id               bigint,
  artist_name             text,
  kind                    text,
  url                     text,
  artist_url              text,
  artwork_url             text,
  release_date            date,
  content_advisory_rating text,
  genres                  text[] NOT NULL DEFAULT '{}',
  raw                     jsonb COMPRESSION lz4 NOT NULL,
  content_hash            bytea NOT NULL CHECK (octet_length(content_hash) = 33),
  first_seen_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  requested_at            timestamptz,
  PRIMARY KEY (country, type, id)
);
-- For a favorite that only a chart has named: its storefront is not known.
CREATE INDEX chart_item_id ON itunes.chart_item (id);
COMMENT ON TABLE  itunes.chart_item IS 'What stands or stood in a chart, as the charts describe it. Nothing ever goes.';
COMMENT ON COLUMN itunes.chart_item.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_item.type IS 'songs, albums, apps, books, audio-books, podcasts, podcast-episodes, …';
COMMENT ON COLUMN itunes.chart_item.id IS 'Apple''s id within storefront and type; itunes.item has the same one if a search or a look-up met it.';
COMMENT ON COLUMN itunes.chart_item.name IS 'Name.';
COMMENT ON COLUMN itunes.chart_item.artist_id IS 'Apple''s id of the artist, if the chart names it.';
COMMENT ON COLUMN itunes.chart_item.artist_name IS 'Artist, author or seller.';
COMMENT ON COLUMN itunes.chart_item.kind IS 'Kind as the chart writes it, e.g. songs.';
COMMENT ON COLUMN itunes.chart_item.url IS 'Page in the store.';
COMMENT ON COLUMN itunes.chart_item.artist_url IS 'Page of the artist in the store.';
COMMENT ON COLUMN itunes.chart_item.artwork_url IS 'Artwork.';
COMMENT ON COLUMN itunes.chart_item.release_date IS 'Day of the release.';
COMMENT ON COLUMN itunes.chart_item.content_advisory_rating IS 'Explicit (which the upstream misspells), Clean, …';
COMMENT ON COLUMN itunes.chart_item.genres IS 'Names of the genres.';
COMMENT ON COLUMN itunes.chart_item.raw IS 'The whole entry as it came.';
COMMENT ON COLUMN itunes.chart_item.content_hash IS 'SHA-256 of the entry''s canonical form, and of the version of the mapping (last byte).';
COMMENT ON COLUMN itunes.chart_item.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN itunes.chart_item.changed_at IS 'When it last changed.';
COMMENT ON COLUMN itunes.chart_item.requested_at IS 'When the stored content was requested.';

-- Room in the pages, as in jikan.ranking.
CREATE TABLE itunes.chart_entry (
  country  text NOT NULL,
  media    text NOT NULL,
  feed     text NOT NULL,
  type     text NOT NULL,
  id       bigint NOT NULL,
  position integer NOT NULL,
  unread   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (country, media, feed, type, id)
) WITH (fillfactor = 45);
COMMENT ON TABLE  itunes.chart_entry IS 'The charts as last published, each replaced as a whole. sync.publication tells from which run.';
COMMENT ON COLUMN itunes.chart_entry.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_entry.media IS 'music, apps, books, audio-books or podcasts.';
COMMENT ON COLUMN itunes.chart_entry.feed IS 'most-played, top-free, top-paid, top, …';
COMMENT ON COLUMN itunes.chart_entry.type IS 'songs, albums, apps, …';
COMMENT ON COLUMN itunes.chart_entry.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.chart_entry.position IS 'Ordinal in the chart, from 1. Repeats are not counted; items without a readable id are counted.';
COMMENT ON COLUMN itunes.chart_entry.unread IS 'Whether the last walk did not read this entry and had items without a readable id. The position is then the last known one, so another entry can have the same position.';

CREATE TABLE itunes.chart_history (
  country    text NOT NULL,
  media      text NOT NULL,
  feed       text NOT NULL,
  type       text NOT NULL,
  id         bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  position   integer NOT NULL,
  unread     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (country, media, feed, type, id, valid_from)
);
CREATE INDEX chart_history_valid_to ON itunes.chart_history (country, media, feed, type, valid_to);
-- The history of one item in the charts.
CREATE INDEX chart_history_id ON itunes.chart_history (id);
COMMENT ON TABLE  itunes.chart_history IS 'Who stood where: a row begins when an entry comes in or moves, and ends when it moves again or leaves.';
COMMENT ON COLUMN itunes.chart_history.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_history.media IS 'music, apps, books, audio-books or podcasts.';
COMMENT ON COLUMN itunes.chart_history.feed IS 'most-played, top-free, top-paid, top, …';
COMMENT ON COLUMN itunes.chart_history.type IS 'songs, albums, apps, …';
COMMENT ON COLUMN itunes.chart_history.id IS 'Id of the item.';
COMMENT ON COLUMN itunes.chart_history.valid_from IS 'When it was published at this place.';
COMMENT ON COLUMN itunes.chart_history.valid_to IS 'When it was published at another place, or no more; null while it is so.';
COMMENT ON COLUMN itunes.chart_history.position IS 'Place in the chart, from 1.';
COMMENT ON COLUMN itunes.chart_history.unread IS 'Whether the walk did not read this entry and had items without a readable id. The position is then the last known one.';

CREATE TABLE itunes.chart_publication (
  country      text NOT NULL,
  media        text NOT NULL,
  feed         text NOT NULL,
  type         text NOT NULL,
  published_at timestamptz NOT NULL,
  run_id       uuid NOT NULL,
  entries      integer NOT NULL,
  consistent   boolean NOT NULL,
  PRIMARY KEY (country, media, feed, type, published_at)
);
COMMENT ON TABLE  itunes.chart_publication IS 'Each time that a chart was published and differed from what was published before. Between two of them it stood still.';
COMMENT ON COLUMN itunes.chart_publication.country IS 'Storefront, two letters, lower case.';
COMMENT ON COLUMN itunes.chart_publication.media IS 'music, apps, books, audio-books or podcasts.';
COMMENT ON COLUMN itunes.chart_publication.feed IS 'most-played, top-free, top-paid, top, …';
COMMENT ON COLUMN itunes.chart_publication.type IS 'songs, albums, apps, …';
COMMENT ON COLUMN itunes.chart_publication.published_at IS 'When; later than every earlier one of the chart.';
COMMENT ON COLUMN itunes.chart_publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN itunes.chart_publication.entries IS 'Entries of the chart.';
COMMENT ON COLUMN itunes.chart_publication.consistent IS 'False if the chart moved while it was read.';

CREATE TABLE itunes.price_change (
  country           text NOT NULL,
  class             text NOT NULL,
  id                bigint NOT NULL,
  at                timestamptz NOT NULL,
  previous_price    numeric(12,2),
  previous_currency text,
  price             numeric(12,2),
  currency          text,
  PRIMARY KEY (country, class, id, at)
);
CREATE INDEX price_change_id ON itunes.price_change (id);
COMMENT ON TABLE  itunes.price_change IS 'When the price of an item changed, from the first run after the first sight of the item on.';
COMMENT ON COLUMN itunes.price_change.country IS 'Storefront.';
COMMENT ON COLUMN itunes.price_change.class IS 'As in itunes.item.';
COMMENT ON COLUMN itunes.price_change.id IS 'As in itunes.item.';
COMMENT ON COLUMN itunes.price_change.at IS 'When the mirror saw it.';
COMMENT ON COLUMN itunes.price_change.previous_price IS 'Price before, 0 if it was free; null if there was none.';
COMMENT ON COLUMN itunes.price_change.previous_currency IS 'Its currency.';
COMMENT ON COLUMN itunes.price_change.price IS 'Price after, 0 if it became free; null if there is none.';
COMMENT ON COLUMN itunes.price_change.currency IS 'Its currency.';

-- The reports of the program as views, for tools that read SQL. The files of sql/reports make them.

CREATE SCHEMA report;
COMMENT ON SCHEMA report IS 'The reports of syncctl as views, each with its parameters at their defaults; syncctl report lists them.';
