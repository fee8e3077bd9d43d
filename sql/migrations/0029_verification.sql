-- What a published list holds, so that it can be verified, and what verifications found.

ALTER TABLE sync.publication ADD COLUMN folder text, ADD COLUMN scope text[], ADD COLUMN digest bytea;
COMMENT ON COLUMN sync.publication.folder IS 'The statements by which it was published: a folder of sql/sources. Null for a publication from before this column was added.';
COMMENT ON COLUMN sync.publication.scope IS 'The part of their keys that all entries share, as those statements take it.';
COMMENT ON COLUMN sync.publication.digest IS 'SHA-256 of the keys of the list in their order, and of their positions; null for a stream without a list.';

CREATE TABLE sync.verification (
  id                    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source                text NOT NULL,
  mode                  text NOT NULL CHECK (mode IN ('local', 'sample', 'upstream')),
  streams               text[],
  started_at            timestamptz NOT NULL,
  finished_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  checked               jsonb NOT NULL,
  differences           bigint NOT NULL,
  derived               bigint NOT NULL DEFAULT 0,
  noted                 bigint NOT NULL DEFAULT 0,
  first_differences     jsonb NOT NULL DEFAULT '[]'
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
