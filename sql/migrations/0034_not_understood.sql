-- Of an item only its id is required; what else was not understood is counted.

ALTER TABLE sync.run ADD COLUMN not_understood jsonb;
COMMENT ON COLUMN sync.run.not_understood IS 'Members that did not fit their columns, which are null: by path how many, and an example. Null if there were none.';
