-- What every row satisfies is a constraint; how long rows are kept; when the rows that change most are vacuumed.

-- SHA-256 and the version of the mapping. A hash of another length, which no syncctl has written, becomes one that equals
-- none, so that the next run writes the document again.
UPDATE jikan.media       SET content_hash = decode(repeat('00', 33), 'hex') WHERE octet_length(content_hash) <> 33;
UPDATE jikan.genre       SET content_hash = decode(repeat('00', 33), 'hex') WHERE octet_length(content_hash) <> 33;
UPDATE pokeapi.resource  SET content_hash = decode(repeat('00', 33), 'hex') WHERE octet_length(content_hash) <> 33;
UPDATE itunes.item       SET content_hash = decode(repeat('00', 33), 'hex') WHERE octet_length(content_hash) <> 33;
UPDATE itunes.chart_item SET content_hash = decode(repeat('00', 33), 'hex') WHERE octet_length(content_hash) <> 33;
ALTER TABLE jikan.media       ADD CHECK (octet_length(content_hash) = 33);
ALTER TABLE jikan.genre       ADD CHECK (octet_length(content_hash) = 33);
ALTER TABLE pokeapi.resource  ADD CHECK (octet_length(content_hash) = 33);
ALTER TABLE itunes.item       ADD CHECK (octet_length(content_hash) = 33);
ALTER TABLE itunes.chart_item ADD CHECK (octet_length(content_hash) = 33);

-- As in jikan.media. The history has its rows from these tables, and its months are tables of their own.
ALTER TABLE jikan.media_counters      ADD CHECK (kind IN ('anime', 'manga'));
ALTER TABLE jikan.ranking             ADD CHECK (kind IN ('anime', 'manga'));
ALTER TABLE jikan.ranking_publication ADD CHECK (kind IN ('anime', 'manga'));

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

-- The rows that change most, of a few pages each. A run rewrites its row of stream_state with every page and every
-- heartbeat, and a permit the row of its origin: 250,000 a day at three requests per second. Most old versions are pruned
-- when the page is read next; what is left after 200 of them means that a long transaction held them, and then the number
-- alone counts, not the share of the table, which such a time has made larger. Vacuum does not cut off empty pages at the
-- end: that takes an exclusive lock, which cancels queries on a standby, for pages that the next minute fills again.
ALTER TABLE sync.stream_state SET (
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
ALTER TABLE sync.rate_budget SET (
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
ALTER TABLE sync.rate_permit SET (
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
ALTER TABLE sync.rate_window SET (
  autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
-- A daily run changes a third of 115,000 counters. At the usual fifth of the table, up to 23,000 dead rows wait; at a
-- twentieth, 5,800, and a vacuum of these narrow rows takes a second. Statistics follow as often: the orders by popularity
-- and members are planned with them.
ALTER TABLE jikan.media_counters SET (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
