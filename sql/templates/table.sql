-- Default values, which a source's table.sql can replace. `d` is a stored document; `key` is a requested key.

/* order: */ /* key */
/* after: */ /* key */ > $2::bigint
/* of-keys: */ /* among keys */
/* look-up: */
-- OFFSET 0 forces one look-up for each item. Without statistics, as in a first load, the planner expects few rows in a
-- scope and would read the whole scope for each page.
LEFT JOIN LATERAL (SELECT d.* FROM /* table */ d WHERE /* in scope */ AND /* has key */ OFFSET 0) d ON true
/* noted: */ substr(d.content_hash, 1, 32) = decode(repeat('00', 32), 'hex')
/* counter-hash: */ NULL::bigint
/* counter-values: */ '{}'::jsonb
/* misplaced: */ (w.position, w.unread) IS DISTINCT FROM (s.position, s.unread)
/* signed position: */ CASE WHEN unread THEN -position ELSE position END
/* list-digest: */
-- The digest covers everything that determines the published rows. It includes the functions, because a changed
-- function can publish other rows for the same list.
sha256(convert_to(concat_ws(
  E'\n', $scope::text, $3::text[]::text, $5::boolean,
  (SELECT string_agg(encode(checksum, 'hex'), ' ' ORDER BY folder) FROM sync.function_set)), 'UTF8') || /* entries */)
/* differences: */
-- Returns a row for each column that differs between the stored row (old) and the new row (new). The row named raw
-- lists document members that differ. The including statement adds FROM and WHERE, which select the members to compare.
SELECT name, coalesce(old->name, 'null')::text AS old_value, value::text AS new_value
FROM jsonb_each(new) AS n (name, value)
WHERE value <> coalesce(old->name, 'null')
UNION ALL
SELECT 'raw', coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE old_member IS NOT NULL), '[]')::text,
       coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE new_member IS NOT NULL), '[]')::text
