-- The title of an item; no row if the mirror does not have it.
-- $1 source, $2 kind, $3 id
SELECT coalesce(t.title, f.kind || ' ' || f.id)
FROM (VALUES ($1::text, $2::text, $3::bigint)) AS f (source, kind, id) CROSS JOIN
/* titles */
