-- syncctl replaces the marked line with the union of all sources' favorite_history views.

CREATE OR REPLACE VIEW app.favorite_history AS
/* sources */;
COMMENT ON VIEW   app.favorite_history IS 'What is known of the changes of possible favorites, of all sources. Select by source, kind and id: otherwise everything is read.';
COMMENT ON COLUMN app.favorite_history.source IS 'Source, e.g. jikan.';
COMMENT ON COLUMN app.favorite_history.kind IS 'Kind within the source, e.g. anime.';
COMMENT ON COLUMN app.favorite_history.id IS 'Id within the kind.';
COMMENT ON COLUMN app.favorite_history.list IS 'List or store that the value is of; null for an event of the item itself.';
COMMENT ON COLUMN app.favorite_history.list_began_at IS 'When the history of the list begins.';
COMMENT ON COLUMN app.favorite_history.what IS 'rank, score, position or price, with a value; mirrored, changed or vanished, an event.';
COMMENT ON COLUMN app.favorite_history.value IS 'The value; null if there was none, and for an event.';
COMMENT ON COLUMN app.favorite_history.valid_from IS 'When the value began to be so, or when the event was noted.';
COMMENT ON COLUMN app.favorite_history.valid_to IS 'When it was so no more; null while it is so, and for an event.';
