-- A page that is byte for byte the one of the walk before is not read again.

ALTER TABLE sync.walk_page ADD COLUMN digest bytea;
COMMENT ON COLUMN sync.walk_page.digest IS
  'Of the page''s body, with the version of its reader and its mapping; null where the page has to be read in every walk.';

ALTER TABLE sync.run ADD COLUMN identical integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN sync.run.identical IS
  'Pages that came and were byte for byte those of the walk before: their items count as unchanged.';
