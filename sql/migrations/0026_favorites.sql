-- What a person keeps of an anime or a manga, and the rank at which a favorite was added.

ALTER TABLE app.favorite
  ADD COLUMN rank_at_add      integer,
  ADD COLUMN status           text CHECK (status IN (
    'watching', 'reading', 'completed', 'on-hold', 'dropped', 'plan-to-watch', 'plan-to-read')),
  ADD COLUMN my_score         smallint CHECK (my_score BETWEEN 1 AND 10),
  ADD COLUMN episodes_watched integer CHECK (episodes_watched >= 0),
  ADD COLUMN chapters_read    integer CHECK (chapters_read >= 0),
  ADD COLUMN volumes_read     integer CHECK (volumes_read >= 0),
  ADD COLUMN started_on       text CHECK (started_on ~ '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$'),
  ADD COLUMN finished_on      text CHECK (finished_on ~ '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$'),
  ADD COLUMN tags             text;
COMMENT ON COLUMN app.favorite.rank_at_add IS 'The item''s rank at its source when it was added; null if it had none, or if nothing was known of it.';
COMMENT ON COLUMN app.favorite.status IS 'watching, reading, completed, on-hold, dropped, plan-to-watch or plan-to-read.';
COMMENT ON COLUMN app.favorite.my_score IS 'The user''s own score, 1–10.';
COMMENT ON COLUMN app.favorite.episodes_watched IS 'Episodes that the user has watched.';
COMMENT ON COLUMN app.favorite.chapters_read IS 'Chapters that the user has read.';
COMMENT ON COLUMN app.favorite.volumes_read IS 'Volumes that the user has read.';
COMMENT ON COLUMN app.favorite.started_on IS 'When the user began: a date, a month (2020-04) or a year.';
COMMENT ON COLUMN app.favorite.finished_on IS 'When the user finished: a date, a month (2020-04) or a year.';
COMMENT ON COLUMN app.favorite.tags IS 'The user''s tags, separated by commas.';

-- The ranks of favorites that exist already, as long as the history has them: the rank at that time, else the first one.
UPDATE app.favorite f SET rank_at_add = (
  SELECT nullif(h.rank, 0) FROM jikan.ranking_history h
  WHERE h.kind = f.kind AND h.subtype = 'all' AND h.filter = 'none' AND h.mal_id = f.id
    AND (h.valid_to IS NULL OR h.valid_to > f.added_at)
  ORDER BY h.valid_from LIMIT 1)
WHERE source = 'jikan';

-- The history of one item in the charts.
CREATE INDEX chart_history_id ON itunes.chart_history (id);
