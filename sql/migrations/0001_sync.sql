-- How the mirror is kept: walks, the ledger, leases, quarantine, publications.

CREATE SCHEMA IF NOT EXISTS sync; -- the table of the migrations is in it already
COMMENT ON SCHEMA sync IS 'How the mirror is kept: walks, the ledger of runs, leases, quarantine, publications. Written by syncctl only.';

CREATE TABLE sync.walk (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source      text NOT NULL,
  stream      text NOT NULL,
  provider    text NOT NULL,
  origin      text NOT NULL,
  page_size   integer NOT NULL,
  started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
);
COMMENT ON TABLE  sync.walk IS 'One pass through the pages of a list; several runs may work on it, one after the other.';
COMMENT ON COLUMN sync.walk.id IS 'Number of the walk.';
COMMENT ON COLUMN sync.walk.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.walk.stream IS 'Stream within the source, e.g. top-anime.';
COMMENT ON COLUMN sync.walk.provider IS 'Service that answered, e.g. tenrai.';
COMMENT ON COLUMN sync.walk.origin IS 'Base URL of the service; pages of another origin never continue this walk.';
COMMENT ON COLUMN sync.walk.page_size IS 'Items asked for per page; pages of another size never continue this walk.';
COMMENT ON COLUMN sync.walk.started_at IS 'When the first page was asked for; a walk older than six hours is not resumed.';
COMMENT ON COLUMN sync.walk.finished_at IS 'When the walk came to an end that no run will go on from; null while it can be resumed.';

CREATE TABLE sync.walk_page (
  walk_id       bigint NOT NULL REFERENCES sync.walk ON DELETE CASCADE,
  page          integer NOT NULL,
  keys          bigint[],
  unreadable    integer NOT NULL DEFAULT 0,
  claimed_total bigint,
  last_page     bigint,
  has_next      boolean,
  etag          text,
  fetched_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (walk_id, page)
);
COMMENT ON TABLE  sync.walk_page IS 'What a walk saw, page by page, committed together with the rows of the page. Resuming, certificates and publishing read it.';
COMMENT ON COLUMN sync.walk_page.walk_id IS 'The walk.';
COMMENT ON COLUMN sync.walk_page.page IS 'Number of the page, from 1.';
COMMENT ON COLUMN sync.walk_page.keys IS 'Keys of the items in the order of the upstream, repeats included; null for a page that was not there.';
COMMENT ON COLUMN sync.walk_page.unreadable IS 'Items of the page whose key could not be read.';
COMMENT ON COLUMN sync.walk_page.claimed_total IS 'Items the list said it has.';
COMMENT ON COLUMN sync.walk_page.last_page IS 'Last page the list said it has.';
COMMENT ON COLUMN sync.walk_page.has_next IS 'Whether the page said that another one follows.';
COMMENT ON COLUMN sync.walk_page.etag IS 'Validator of the answer; null where none was kept.';
COMMENT ON COLUMN sync.walk_page.fetched_at IS 'When the page was committed.';

CREATE TABLE sync.run (
  id                uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  source            text NOT NULL,
  stream            text NOT NULL,
  walk_id           bigint,
  status            text NOT NULL CHECK (status IN ('running', 'complete', 'inconsistent', 'partial', 'failed', 'interrupted')),
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
  error             text
) WITH (fillfactor = 80);
CREATE INDEX run_started_at ON sync.run (started_at DESC);
COMMENT ON TABLE  sync.run IS 'The ledger: one row per run of a stream. rows_seen = inserted + updated + unchanged + duplicates + quarantined.';
COMMENT ON COLUMN sync.run.id IS 'Identity of the run; random, so that it stays unique in a database restored from a backup.';
COMMENT ON COLUMN sync.run.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.run.stream IS 'Stream within the source, e.g. top-anime.';
COMMENT ON COLUMN sync.run.walk_id IS 'The walk that the run worked on; the walk itself may have been pruned.';
COMMENT ON COLUMN sync.run.status IS 'running; complete: every item was seen; inconsistent: the list moved or held fewer items than it claimed; partial: pages are missing or were not asked for; failed; interrupted.';
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

CREATE TABLE sync.stream_state (
  source               text NOT NULL,
  stream               text NOT NULL,
  provider             text NOT NULL,
  origin               text NOT NULL,
  page_size            integer NOT NULL,
  walk_id              bigint REFERENCES sync.walk,
  cursor               integer,
  lease_owner          jsonb,
  lease_generation     bigint NOT NULL DEFAULT 0,
  lease_expires_at     timestamptz,
  last_complete_run_id uuid,
  last_complete_at     timestamptz,
  PRIMARY KEY (source, stream)
) WITH (fillfactor = 50);
COMMENT ON TABLE  sync.stream_state IS 'Where each stream stands, and who may write it.';
COMMENT ON COLUMN sync.stream_state.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.stream_state.stream IS 'Stream within the source, e.g. top-anime.';
COMMENT ON COLUMN sync.stream_state.provider IS 'Service that answered last.';
COMMENT ON COLUMN sync.stream_state.origin IS 'Base URL of that service. Data of another origin is taken over only when asked for.';
COMMENT ON COLUMN sync.stream_state.page_size IS 'Items asked for per page.';
COMMENT ON COLUMN sync.stream_state.walk_id IS 'The walk that the next run may go on with; null if there is none.';
COMMENT ON COLUMN sync.stream_state.cursor IS 'Last page of that walk that is committed.';
COMMENT ON COLUMN sync.stream_state.lease_owner IS 'Process that may write the stream: host, boot, pid namespace, pid, start time; null if nobody does.';
COMMENT ON COLUMN sync.stream_state.lease_generation IS 'Fence: grows with every lease; a write of an older generation is refused.';
COMMENT ON COLUMN sync.stream_state.lease_expires_at IS 'When the lease may be taken over, by the clock of the database.';
COMMENT ON COLUMN sync.stream_state.last_complete_run_id IS 'The latest run that saw every item.';
COMMENT ON COLUMN sync.stream_state.last_complete_at IS 'When that run ended.';

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

CREATE TABLE sync.publication (
  source       text NOT NULL,
  list         text NOT NULL,
  run_id       uuid NOT NULL,
  published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  consistent   boolean NOT NULL,
  entries      bigint NOT NULL,
  PRIMARY KEY (source, list)
);
COMMENT ON TABLE  sync.publication IS 'Which run each published list is from.';
COMMENT ON COLUMN sync.publication.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.publication.list IS 'The stream whose list it is.';
COMMENT ON COLUMN sync.publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN sync.publication.published_at IS 'When.';
COMMENT ON COLUMN sync.publication.consistent IS 'False if the list moved during the walk and did not settle.';
COMMENT ON COLUMN sync.publication.entries IS 'Entries of the list.';
