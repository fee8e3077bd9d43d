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
/* entry names: */ key
/* entry order: */ coalesce(w.position, s.position), key
/* signed position: */ CASE WHEN unread THEN -position ELSE position END
/* list-digest: */
-- The digest covers everything that determines the published rows. It includes the functions, because a changed
-- function can publish other rows for the same list.
sha256(convert_to(concat_ws(
  E'\n', /* scope */::text, $3::text[]::text, $5::boolean,
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
/* has unreadable: */ EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
/* seen by latest reading: */
-- If several page readings contain a key, the latest one determines the key's place. A superseded reading is used only
-- if no other reading has the key. Positions count items without a readable id.
SELECT key, position FROM (
  SELECT key, row_number() OVER (ORDER BY list_page, ordinal, key IS NULL, reading DESC, key)::integer AS position
  FROM (
    (SELECT DISTINCT ON (s.key) s.key, p.list_page, s.ordinal, p.page AS reading
     FROM sync.published_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
     WHERE p.walk_id = $1::bigint
     ORDER BY s.key, p.is_superseded, p.page DESC, s.ordinal)
    UNION ALL
    /* unreadable places */
  ) place
) numbered
WHERE key IS NOT NULL
/* seen by first page: */
-- If a key is on several pages, the first page counts. If the page was read several times, its last reading counts.
-- Positions count items without a readable id.
SELECT key, position FROM (
  SELECT key, row_number() OVER (ORDER BY list_page, reading DESC, ordinal, key IS NULL)::integer AS position
  FROM (
    (SELECT DISTINCT ON (s.key) s.key, p.list_page, s.ordinal, p.page AS reading
     FROM sync.walk_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
     WHERE p.walk_id = $1::bigint
     ORDER BY s.key, p.list_page, p.page DESC, s.ordinal)
    UNION ALL
    /* unreadable places */
  ) place
) numbered
WHERE key IS NOT NULL
/* unreadable places: */
SELECT NULL, p.list_page, s.ordinal, p.page FROM sync.published_page p, unnest(p.unreadable_after) AS s (ordinal)
WHERE p.walk_id = $1::bigint AND NOT p.is_superseded
