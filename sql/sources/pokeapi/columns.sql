-- How a document becomes columns. `item` is what a statement brings: endpoint, id, raw and whatever else it needs. The
-- program inserts this text where another statement of this folder has columns between comment marks. pokeapi.derive
-- makes the other tables. Other columns or tables of the same documents are another mapping with a higher version, and
-- `syncctl migrate` derives the stored ones again.
SELECT item.*, pokeapi.string(raw->'name') AS name
FROM item
