-- Part of the items that are found by their words.
-- $1 to $4 as in items, $5 how many there are at most or NULL, $6 limit, $7 offset, $8 key to continue after or NULL
WITH found AS (
/* items */
), keyed AS (SELECT *, jsonb_build_array(/* order */) AS key FROM found ORDER BY key LIMIT $5::bigint)
SELECT /* columns */, key::text AS cursor_key
FROM keyed WHERE $8::jsonb IS NULL OR key > $8::jsonb ORDER BY key LIMIT $6 OFFSET $7
