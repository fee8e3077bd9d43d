-- What a person should know of a run that ended well, and since when a narrowed list is empty.

ALTER TABLE sync.run ADD COLUMN warning text;
COMMENT ON COLUMN sync.run.warning IS 'What a person should know of a run that ended well: entries of another season than the calendar''s, an empty list that was not published yet.';

ALTER TABLE sync.stream_state ADD COLUMN empty_since timestamptz;
COMMENT ON COLUMN sync.stream_state.empty_since IS 'When a narrowed list was first found empty while entries of it were published. They stay until it is empty again 20 hours later. Null if it had items when it was last walked.';

COMMENT ON COLUMN sync.walk.started_at IS 'When the walk was begun.';
COMMENT ON COLUMN sync.walk_page.fetched_at IS 'When the page was committed. A walk whose last page is older than six hours is not resumed.';
