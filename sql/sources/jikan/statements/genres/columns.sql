-- Derives columns, including the count, from a genre. The program inserts this text into statements that define `item`
-- with kind, facet, mal_id and raw. A new column needs a higher mapping version.
SELECT item.*, jikan.string(raw->'name') AS name, jikan.string(raw->'url') AS url, jikan.whole(raw->'count') AS count
FROM item
