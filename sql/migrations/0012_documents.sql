-- What a walk needs whose list only names its items, of a source that says of which build its data is.

ALTER TABLE sync.walk ADD COLUMN is_full boolean NOT NULL DEFAULT false, ADD COLUMN parameters text NOT NULL DEFAULT '';
COMMENT ON COLUMN sync.walk.parameters IS 'What was asked for besides; pages with other parameters never continue this walk.';
COMMENT ON COLUMN sync.walk.is_full IS 'Begun with --full: every document is asked for, however young it is.';

ALTER TABLE sync.walk_page ADD COLUMN build text;
COMMENT ON COLUMN sync.walk_page.build IS 'Of a batch of documents, or a page of the list that names them: the one build of the service''s data that all of it is of; null if it is of several, or that is not known.';
COMMENT ON COLUMN sync.walk_page.list_page IS 'Number of the page in the list, from 1; null for a batch of items that were asked for one by one.';
COMMENT ON COLUMN sync.walk_page.keys IS 'Keys of the items in the order of the upstream, repeats included; null for a page that was not there. Of a batch, the items that were found.';

ALTER TABLE sync.stream_state ADD COLUMN build text;
COMMENT ON COLUMN sync.stream_state.build IS 'Build of the service''s data that the last walk has mirrored whole, without a document of another build; null if there was no such walk, or one is under way.';

ALTER TABLE sync.run ADD COLUMN fresh bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN sync.run.fresh IS 'Documents that the list names and that were not asked for, being younger than their time to live. They are not among rows_seen.';

CREATE TABLE sync.source_index (
  source     text PRIMARY KEY,
  origin     text NOT NULL,
  build      text,
  streams    text[] NOT NULL DEFAULT '{}',
  checked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  sync.source_index IS 'What sources that are found out at run time say of themselves.';
COMMENT ON COLUMN sync.source_index.source IS 'Source, e.g. pokeapi.';
COMMENT ON COLUMN sync.source_index.origin IS 'Base URL of the service.';
COMMENT ON COLUMN sync.source_index.build IS 'Build of its data that the service named when it was last asked; null if it does not say. A stream whose state has the same build is as fresh as this answer.';
COMMENT ON COLUMN sync.source_index.streams IS 'Streams that the index named when it was last read.';
COMMENT ON COLUMN sync.source_index.checked_at IS 'When the build was last asked for.';

-- As of when a stream is known to have been whole: the end of its last complete run, or the answer by which the service
-- said that nothing has changed since.
CREATE VIEW sync.stream_freshness AS
SELECT s.source, s.stream,
       greatest(s.last_complete_at, CASE WHEN i.build = s.build AND i.origin = s.origin THEN i.checked_at END) AS whole_at
FROM sync.stream_state s LEFT JOIN sync.source_index i ON i.source = s.source
WHERE s.last_complete_at IS NOT NULL;
COMMENT ON VIEW   sync.stream_freshness IS 'As of when each stream is known to be whole.';
COMMENT ON COLUMN sync.stream_freshness.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN sync.stream_freshness.stream IS 'Stream within the source.';
COMMENT ON COLUMN sync.stream_freshness.whole_at IS 'The end of its last complete run; or later, when the service said that it still has the build that was mirrored.';
