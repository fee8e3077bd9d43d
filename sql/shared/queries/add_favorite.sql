-- Adds an item to a collection; a note replaces the old one. Says whether the item is new in it.
-- $1 source, $2 kind, $3 id, $4 collection, $5 note
INSERT INTO app.favorite AS f (collection, source, kind, id, note, rank_at_add)
SELECT $4, f.source, f.kind, f.id, $5, t.rank
FROM (VALUES ($1::text, $2::text, $3::bigint)) AS f (source, kind, id) LEFT JOIN
/* titles */ ON true
ON CONFLICT (collection, source, kind, id) DO UPDATE SET note = coalesce(excluded.note, f.note)
RETURNING xmax = 0
