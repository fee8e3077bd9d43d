-- Adds an item to a collection; a note replaces the old one. Says whether the item is new in it.
-- $1 source, $2 kind, $3 id, $4 collection, $5 note
WITH
/* spelling */
INSERT INTO app.favorite AS f (collection, source, kind, id, note, rank_at_add)
SELECT /* collection of f */, f.source, f.kind, f.id, $5, t.rank
FROM (VALUES ($1::text, $2::text, $3::bigint, $4::text)) AS f (source, kind, id, collection) LEFT JOIN
/* titles */ ON true
ON CONFLICT (collection, source, kind, id) DO UPDATE SET note = coalesce(excluded.note, f.note)
RETURNING xmax = 0
