-- Adds an item to a collection. A note replaces the old note. Returns whether the item is new in the collection.
-- $1 source, $2 kind, $3 id, $4 collection, $5 note
WITH spelling AS MATERIALIZED (
  -- Names are compared in normalized form, because an earlier version stored decomposed names (NFD) from macOS.
  SELECT DISTINCT collection, normalize(collection) AS name FROM app.favorite
)
INSERT INTO app.favorite AS f (collection, source, kind, id, note, rank_at_add)
SELECT coalesce((
  -- A collection can be stored in several spellings. The spelling under which the item is stored is preferred.
  -- OFFSET 0 makes PostgreSQL normalize the name only once.
  SELECT s.collection FROM (SELECT normalize(f.collection) AS name OFFSET 0) n JOIN spelling s USING (name)
  LEFT JOIN app.favorite c ON (c.collection, c.source, c.kind, c.id) = (s.collection, f.source, f.kind, f.id)
  ORDER BY c.id IS NULL, s.collection <> f.collection, s.collection LIMIT 1
), normalize(f.collection)), f.source, f.kind, f.id, $5, t.rank
FROM (VALUES ($1::text, $2::text, $3::bigint, $4::text)) AS f (source, kind, id, collection) LEFT JOIN LATERAL (
  -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
  SELECT v.rank FROM app.item_of(f.source, f.kind, f.id) v OFFSET 0
) t ON true
ON CONFLICT (collection, source, kind, id) DO UPDATE SET note = coalesce(excluded.note, f.note)
RETURNING xmax = 0
