-- The title of an item. There is no row if the mirror does not have the item.
-- $1 source, $2 kind, $3 id
SELECT coalesce(t.title, f.kind || ' ' || f.id)
FROM (VALUES ($1::text, $2::text, $3::bigint)) AS f (source, kind, id) CROSS JOIN LATERAL (
  -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
  SELECT v.title FROM app.item_of(f.source, f.kind, f.id) v OFFSET 0
) t
