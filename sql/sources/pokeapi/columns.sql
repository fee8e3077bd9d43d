-- Derives columns from a document. `item` has endpoint, id, raw and other columns.
-- The program inserts this text into statements at their comment marks. New columns require a higher version;
-- `syncctl migrate` then derives the stored documents again. Other tables are made by pokeapi.derive.
SELECT item.*, pokeapi.string(raw->'name') AS name
FROM item
