-- What belongs to the user and not to an upstream.

CREATE SCHEMA app;
COMMENT ON SCHEMA app IS 'What belongs to the user: favorites and other collections. No sync ever touches it.';

CREATE TABLE app.favorite (
  collection text NOT NULL,
  source     text NOT NULL,
  kind       text NOT NULL,
  id         bigint NOT NULL,
  note       text,
  added_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (collection, source, kind, id)
);
COMMENT ON TABLE  app.favorite IS 'Items that the user has put into a collection. They stay when the item vanishes upstream.';
COMMENT ON COLUMN app.favorite.collection IS 'favorites, owned, or a name of the user''s own.';
COMMENT ON COLUMN app.favorite.source IS 'Source of the item, e.g. jikan.';
COMMENT ON COLUMN app.favorite.kind IS 'Kind within the source, e.g. anime.';
COMMENT ON COLUMN app.favorite.id IS 'Id within the kind, e.g. the mal_id.';
COMMENT ON COLUMN app.favorite.note IS 'The user''s own words.';
COMMENT ON COLUMN app.favorite.added_at IS 'When it was added.';
