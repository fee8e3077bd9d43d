-- Functions and views are files that are applied again when they have changed (sql/shared, sql/sources/NAME/functions and
-- sql/sources/NAME/views). Migrations hold tables and data only from here on.

CREATE TABLE sync.repeatable (
  path           text PRIMARY KEY,
  revision       integer NOT NULL,
  checksum       bytea NOT NULL,
  schema_version integer NOT NULL,
  comments       jsonb NOT NULL,
  applied_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  sync.repeatable IS 'Files of functions and views, as they were applied last.';
COMMENT ON COLUMN sync.repeatable.path IS 'The file, below sql/.';
COMMENT ON COLUMN sync.repeatable.revision IS 'Its revision, which grows with every change: a syncctl with an older one leaves it as it is.';
COMMENT ON COLUMN sync.repeatable.checksum IS 'SHA-256 of its text, so that a change is noticed.';
COMMENT ON COLUMN sync.repeatable.schema_version IS 'The latest migration of the syncctl that applied it.';
COMMENT ON COLUMN sync.repeatable.comments IS 'The comments that it made, by object, so that a person''s own are told from them and kept.';
COMMENT ON COLUMN sync.repeatable.applied_at IS 'When it was applied.';

-- For a favorite that only a chart has named: its storefront is not known.
CREATE INDEX chart_item_id ON itunes.chart_item (id);
