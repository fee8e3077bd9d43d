-- syncctl replaces the marked line with the union of all sources' favorite_history views.

CREATE OR REPLACE VIEW app.favorite_history AS
/* sources */;
COMMENT ON VIEW   app.favorite_history IS 'The recorded changes of all items that can be favorites, from all sources. Filter by source, kind and id, because the view otherwise reads everything.';
COMMENT ON COLUMN app.favorite_history.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN app.favorite_history.kind IS 'Kind within the source, e.g. anime.';
COMMENT ON COLUMN app.favorite_history.id IS 'Id within the kind.';
COMMENT ON COLUMN app.favorite_history.list IS 'List or storefront of the value; null for an event.';
COMMENT ON COLUMN app.favorite_history.list_began_at IS 'When the history of the list begins.';
COMMENT ON COLUMN app.favorite_history.what IS 'Kind of value (rank, score, position or price) or of event (mirrored, changed or vanished); unread for a time during which the list''s last walk had not read the item.';
COMMENT ON COLUMN app.favorite_history.value IS 'The value; null if there was none, and for an event.';
COMMENT ON COLUMN app.favorite_history.valid_from IS 'When the value became valid, or when the event was recorded.';
COMMENT ON COLUMN app.favorite_history.valid_to IS 'When the value stopped being valid; null for a valid value and for an event.';

CREATE OR REPLACE FUNCTION app.history_of(of_source text, of_kind text, of_id bigint) RETURNS SETOF app.favorite_history
LANGUAGE sql STABLE
AS 'SELECT * FROM app.favorite_history WHERE source = of_source AND kind = of_kind AND id = of_id';
COMMENT ON FUNCTION app.history_of IS 'The rows of app.favorite_history of one item.';
