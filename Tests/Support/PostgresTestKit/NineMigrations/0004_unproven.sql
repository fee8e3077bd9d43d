-- Walks that reach the end of a list without evidence that nothing was removed while they read it.

ALTER TABLE sync.run DROP CONSTRAINT run_status_check;
ALTER TABLE sync.run ADD CONSTRAINT run_status_check CHECK (status IN (
  'running', 'complete', 'unproven', 'inconsistent', 'partial', 'failed', 'interrupted'));
COMMENT ON COLUMN sync.run.status IS 'running; complete: every item was seen; unproven: the list was read to its end, but without evidence that no item was removed meanwhile; inconsistent: the list moved or held fewer items than it claimed; partial: pages are missing or were not requested; failed; interrupted.';

ALTER TABLE sync.walk_page ADD COLUMN next_key text, ADD COLUMN missed integer;
COMMENT ON COLUMN sync.walk_page.next_key IS 'The value that next has in common with the page''s last item: the members of its key, one a line, or its incremental cursor. Null if next has neither.';
COMMENT ON COLUMN sync.walk_page.missed IS 'For a batch of lookups: the number of found items that the previous list had. Null if there are none.';

COMMENT ON COLUMN sync.stream_state.last_consistent_at IS 'When the latest complete run ended. Unproven runs do not count; null if no run was complete.';
COMMENT ON COLUMN sync.publication.consistent IS 'False if the list moved during the walk and did not settle, or if the walk missed items.';
