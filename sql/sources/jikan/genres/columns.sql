-- Derives columns from a genre, its count included. `item` has kind, facet, mal_id, raw and other columns.
-- The program inserts this text into statements at their comment marks. New columns require a higher version.
SELECT item.*, jikan.string(raw->'name') AS name, jikan.string(raw->'url') AS url, jikan.whole(raw->'count') AS count
FROM item
