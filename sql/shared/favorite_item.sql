-- syncctl replaces the marked line with the union of all sources' favorite_item views.

CREATE OR REPLACE VIEW app.favorite_item AS
/* sources */;
COMMENT ON VIEW   app.favorite_item IS 'All items that can be favorites, from all sources. Filter by source, kind and id, because the view otherwise reads everything.';
COMMENT ON COLUMN app.favorite_item.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN app.favorite_item.kind IS 'Kind within the source, e.g. anime.';
COMMENT ON COLUMN app.favorite_item.id IS 'Id within the kind.';
COMMENT ON COLUMN app.favorite_item.title IS 'Title.';
COMMENT ON COLUMN app.favorite_item.title_japanese IS 'Title in Japanese; null if there is none.';
COMMENT ON COLUMN app.favorite_item.type IS 'Type, in the words of the source.';
COMMENT ON COLUMN app.favorite_item.score IS 'Score, where the source has one.';
COMMENT ON COLUMN app.favorite_item.url IS 'Page of the item; null if there is none.';
COMMENT ON COLUMN app.favorite_item.rank IS 'Rank, where the source has one.';
COMMENT ON COLUMN app.favorite_item.state IS 'mirrored; vanished: removed upstream; or a state of the source''s view.';

-- PostgreSQL replaces a call by the query. sql/citus.sql replaces the function.
CREATE OR REPLACE FUNCTION app.item_of(of_source text, of_kind text, of_id bigint) RETURNS SETOF app.favorite_item
LANGUAGE sql STABLE
AS 'SELECT * FROM app.favorite_item WHERE source = of_source AND kind = of_kind AND id = of_id';
COMMENT ON FUNCTION app.item_of IS 'One row of app.favorite_item.';
