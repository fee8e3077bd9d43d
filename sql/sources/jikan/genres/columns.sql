-- How a genre becomes columns, its count included. `item` is what a statement brings: kind, facet, mal_id, raw and
-- whatever else it needs. The program inserts this text where another statement of this folder has columns between
-- comment marks. Other columns of the same documents are another mapping with a higher version.
SELECT item.*, jikan.string(raw->'name') AS name, jikan.string(raw->'url') AS url, jikan.whole(raw->'count') AS count
FROM item
