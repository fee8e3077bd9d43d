-- Derives columns from a document. The program inserts this text into statements that define `item` with endpoint, id
-- and raw. A new column needs a higher mapping version, so that `syncctl migrate` derives stored documents again.
-- pokeapi.derive writes the other tables.
SELECT item.*, pokeapi.string(raw->'name') AS name
FROM item
