-- What a walk needs that asks only for what has changed, and what its ledger tells of it.

ALTER TABLE sync.walk ADD COLUMN mapping_version integer;
COMMENT ON COLUMN sync.walk.mapping_version IS 'Version of the mapping by which its documents became columns; pages of another version never continue this walk. Null for walks from before this column was added.';

ALTER TABLE sync.walk_page ADD COLUMN address text, ADD COLUMN last_modified text, ADD COLUMN mirrored_at timestamptz;
COMMENT ON COLUMN sync.walk_page.address IS 'What was asked for: number and size of the page, as in 12x25, and - behind them if counted from the other end. Null if the page cannot be asked for conditionally: it has no validator, or not every item of it is in the mirror.';
COMMENT ON COLUMN sync.walk_page.etag IS 'Validator of the answer; null where none was kept.';
COMMENT ON COLUMN sync.walk_page.last_modified IS 'Another validator of the answer; null where none was kept.';
COMMENT ON COLUMN sync.walk_page.mirrored_at IS 'For a page that was still the same (304): when its items were stored, or found to be stored, as it has them. Null for all others, for which that is fetched_at.';

-- The log holds what lies between the first and the last column that an update changes. Between the cursor and the end of
-- the lease, which every page moves, that was the owner.
ALTER TABLE sync.stream_state ADD COLUMN owner jsonb;
UPDATE sync.stream_state SET owner = lease_owner WHERE lease_owner IS NOT NULL;
ALTER TABLE sync.stream_state DROP COLUMN lease_owner;
ALTER TABLE sync.stream_state RENAME COLUMN owner TO lease_owner;
COMMENT ON COLUMN sync.stream_state.lease_owner IS 'Process that may write the stream: host, boot, pid namespace, pid, start time; null if nobody does.';

ALTER TABLE sync.run
  ADD COLUMN repaired bigint NOT NULL DEFAULT 0,
  ADD COLUMN permits_waited integer NOT NULL DEFAULT 0,
  ADD COLUMN waited_ms bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN sync.run.repaired IS 'Items in whose text something was replaced or dropped: NUL, lone surrogates, duplicate names. They have another outcome besides.';
COMMENT ON COLUMN sync.run.permits_waited IS 'Requests that had to wait for the rate budget.';
COMMENT ON COLUMN sync.run.waited_ms IS 'How long they waited in all, in milliseconds.';

ALTER TABLE jikan.genre ADD COLUMN count_changed_at timestamptz;
COMMENT ON COLUMN jikan.genre.count_changed_at IS 'When the count last changed; null if that was before this column was added.';
COMMENT ON COLUMN jikan.media.raw IS 'The whole item as it was when it was last written whole; the views hold today''s counters.';
