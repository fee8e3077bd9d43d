-- Defaults for the values that a folder's table.sql can set; d is a document, and key one of the keys of a statement.

/* order: */ /* key */
/* after: */ /* key */ > $2::bigint
/* of-keys: */ /* among keys */
/* look-up: */
-- One look-up for each item, whatever the planner estimates: without statistics, as in a first load, it expects a few
-- rows of a scope, and would read all of them for each page.
LEFT JOIN LATERAL (SELECT d.* FROM /* table */ d WHERE /* in scope */ AND /* has key */ OFFSET 0) d ON true
/* noted: */ substr(d.content_hash, 1, 32) = decode(repeat('00', 32), 'hex')
/* counter-hash: */ NULL::bigint
/* counter-values: */ '{}'::jsonb
/* misplaced: */ w.position IS DISTINCT FROM s.position
/* list-digest: */
-- Everything that determines the published rows. It includes the functions, because a changed function can publish
-- other rows for the same list.
sha256(convert_to(concat_ws(
  E'\n', $scope::text, $3::text[]::text, $5::boolean,
  (SELECT string_agg(encode(checksum, 'hex'), ' ' ORDER BY folder) FROM sync.function_set)), 'UTF8') || /* entries */)
/* differences: */
-- The columns that differ between a stored row (old) and a new row (new), and then, by name, the members without a
-- column that differ between their documents (old_raw, new_raw). The statement continues with the members to compare.
-- Rows and documents are unpacked once for an item, not once for a column or a member: `compared` is materialized, and
-- members are read with jsonb_each.
SELECT name, coalesce(old->name, 'null')::text AS old_value, value::text AS new_value
FROM jsonb_each(new) AS n (name, value)
WHERE value <> coalesce(old->name, 'null')
UNION ALL
SELECT 'raw', coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE old_member IS NOT NULL), '[]')::text,
       coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE new_member IS NOT NULL), '[]')::text
