-- Streams of several lists: one for each value, for each item of a parent resource, or for each window of time.

ALTER TABLE sync.walk ADD COLUMN lists text[];
ALTER TABLE sync.walk ADD COLUMN superseded int4multirange;
COMMENT ON COLUMN sync.walk.lists IS 'Names of the lists that the stream had when the walk began. Null if the stream has one list.';
COMMENT ON COLUMN sync.walk.superseded IS 'Readings of lists that were read again, in a stream of several lists. Their items are not published. Null if there are none.';

ALTER TABLE sync.walk_page ADD COLUMN list text;
COMMENT ON COLUMN sync.walk_page.list IS 'List that the reading belongs to. Null for a batch, and if the stream has one list.';

CREATE TABLE sync.walk_list (
  walk_id       bigint NOT NULL REFERENCES sync.walk ON DELETE CASCADE,
  list          text NOT NULL,
  status        text NOT NULL,
  ended_by      text NOT NULL,
  is_published  boolean NOT NULL,
  first_reading integer NOT NULL,
  last_reading  integer NOT NULL,
  claimed_total bigint,
  items         bigint NOT NULL,
  repeats       bigint NOT NULL,
  drift         bigint NOT NULL,
  rewalked      bigint NOT NULL,
  unreadable    bigint NOT NULL,
  unaccounted   bigint NOT NULL,
  listed_twice  bigint NOT NULL,
  version       text,
  ended_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (walk_id, list)
);
COMMENT ON TABLE  sync.walk_list IS 'The lists that a walk has read to their ends, in a stream of several lists: one small certificate each.';
COMMENT ON COLUMN sync.walk_list.walk_id IS 'The walk.';
COMMENT ON COLUMN sync.walk_list.list IS 'Name of the list: a value, or the key of the parent item.';
COMMENT ON COLUMN sync.walk_list.status IS 'What the walk proved about the list: complete, unproven, inconsistent, partial or ignored.';
COMMENT ON COLUMN sync.walk_list.ended_by IS 'Why the list was not read further, in the words of the certificate.';
COMMENT ON COLUMN sync.walk_list.is_published IS 'Whether publishing the walk replaces the places of this list. Otherwise, the published places stay.';
COMMENT ON COLUMN sync.walk_list.first_reading IS 'Number of the list''s first reading within the walk.';
COMMENT ON COLUMN sync.walk_list.last_reading IS 'Number of the list''s last reading within the walk.';
COMMENT ON COLUMN sync.walk_list.claimed_total IS 'Number of items that the list claimed.';
COMMENT ON COLUMN sync.walk_list.items IS 'Number of different items that the walk saw in the list.';
COMMENT ON COLUMN sync.walk_list.repeats IS 'Number of items that were repeated.';
COMMENT ON COLUMN sync.walk_list.drift IS 'Number of signs that the list changed while it was read.';
COMMENT ON COLUMN sync.walk_list.rewalked IS 'Number of pages that were read again because the list changed.';
COMMENT ON COLUMN sync.walk_list.unreadable IS 'Number of items whose key could not be read.';
COMMENT ON COLUMN sync.walk_list.unaccounted IS 'Number of items that a second reading of their page did not find.';
COMMENT ON COLUMN sync.walk_list.listed_twice IS 'Number of items that are on several pages of the list.';
COMMENT ON COLUMN sync.walk_list.version IS 'Version of the parent item for which the list was requested. Null unless the declaration has refresh.';
COMMENT ON COLUMN sync.walk_list.ended_at IS 'When the list was read to its end.';

CREATE TABLE sync.list_state (
  source  text NOT NULL,
  stream  text NOT NULL,
  list    text NOT NULL,
  version text NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (source, stream, list)
);
COMMENT ON TABLE  sync.list_state IS 'The published lists of resources with refresh, which are requested again only if their parent item has changed, or when they are old.';
COMMENT ON COLUMN sync.list_state.source IS 'Source.';
COMMENT ON COLUMN sync.list_state.stream IS 'Stream within the source.';
COMMENT ON COLUMN sync.list_state.list IS 'Name of the list: the key of the parent item.';
COMMENT ON COLUMN sync.list_state.version IS 'Version of the parent item for which the published list was requested.';
COMMENT ON COLUMN sync.list_state.read_at IS 'When the published list was read to its end.';

ALTER TABLE sync.declared_resource ADD COLUMN lists text;
COMMENT ON COLUMN sync.declared_resource.lists IS 'Type of the column list in the table of positions: bigint for the keys of parent items, text for other names. Null if the resource has one list.';
