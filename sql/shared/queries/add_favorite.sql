-- Adds an item to a collection; a note replaces the old one. Says whether the item is new in it.
-- $1 source, $2 kind, $3 id, $4 collection, $5 note
INSERT INTO app.favorite AS f (collection, source, kind, id, note) VALUES ($4, $1, $2, $3, $5)
ON CONFLICT (collection, source, kind, id) DO UPDATE SET note = coalesce(excluded.note, f.note)
RETURNING xmax = 0
