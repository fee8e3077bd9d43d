-- Which run met which items that could not be stored. The quarantine itself knows the first and the last run alone.

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

INSERT INTO sync.run_quarantine (run_id, item, reason)
SELECT DISTINCT r.id, q.item, q.reason
FROM sync.quarantine q JOIN sync.run r ON r.id IN (q.first_run_id, q.last_run_id);
