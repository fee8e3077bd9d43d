-- revision: 1
-- What can be a favorite, of all sources: the view favorite_item of each source that has one takes the place of the line
-- in the middle.

CREATE OR REPLACE VIEW app.favorite_item AS
/* sources */;
COMMENT ON VIEW   app.favorite_item IS 'What can be a favorite, of all sources, as lists show it. Ask for source, kind and id: without them everything is read.';
COMMENT ON COLUMN app.favorite_item.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN app.favorite_item.kind IS 'Kind within the source, e.g. anime.';
COMMENT ON COLUMN app.favorite_item.id IS 'Id within the kind.';
COMMENT ON COLUMN app.favorite_item.title IS 'Title.';
COMMENT ON COLUMN app.favorite_item.title_japanese IS 'Title in Japanese; null if there is none.';
COMMENT ON COLUMN app.favorite_item.type IS 'Type, in the words of the source.';
COMMENT ON COLUMN app.favorite_item.score IS 'Score, where the source has one.';
COMMENT ON COLUMN app.favorite_item.url IS 'Page of the item; null if there is none.';
COMMENT ON COLUMN app.favorite_item.state IS 'mirrored; vanished: gone upstream; or what the view of the source says.';
