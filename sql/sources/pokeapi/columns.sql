-- How a document becomes columns. `item` is what a statement brings: endpoint, id, raw and whatever else it needs. The
-- program puts this text where another statement of this folder says columns between comment marks. The tables besides
-- are made by pokeapi.derive. Other columns or tables of the same documents are another mapping: its version grows, and
-- `syncctl migrate` derives the stored ones anew.
SELECT item.*, pokeapi.string(raw->'name') AS name
FROM item
