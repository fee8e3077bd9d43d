-- The time when a row's content was requested decides which of two readings is newer. The time of the write cannot: a
-- page that is committed late has old content, and a clock that was set back leaves writes that seem to come later.
-- Null for rows from before this column was added: any page may overwrite them.

ALTER TABLE jikan.media ADD COLUMN requested_at timestamptz;
ALTER TABLE jikan.media_counters ADD COLUMN requested_at timestamptz;
ALTER TABLE jikan.genre ADD COLUMN requested_at timestamptz;
ALTER TABLE pokeapi.resource ADD COLUMN requested_at timestamptz;
ALTER TABLE itunes.item ADD COLUMN requested_at timestamptz;
ALTER TABLE itunes.chart_item ADD COLUMN requested_at timestamptz;
COMMENT ON COLUMN jikan.media.requested_at IS 'When the stored document, or the proof that the item vanished or returned, was requested.';
COMMENT ON COLUMN jikan.media_counters.requested_at IS 'When the stored counters were requested.';
COMMENT ON COLUMN jikan.genre.requested_at IS 'When the stored content was requested.';
COMMENT ON COLUMN pokeapi.resource.requested_at IS 'When the stored document, or the proof that the item vanished or returned, was requested.';
COMMENT ON COLUMN itunes.item.requested_at IS 'When the stored record, or the proof that the item vanished or returned, was requested.';
COMMENT ON COLUMN itunes.chart_item.requested_at IS 'When the stored content was requested.';
