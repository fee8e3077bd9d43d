-- Part of what a search returned.
-- $1 and $2 as in results, $3 limit, $4 offset, $5 key to continue after or NULL
WITH found AS (
/* results */
), keyed AS (SELECT *, jsonb_build_array(/* order */) AS key FROM found)
SELECT /* columns */,
       $2::timestamptz::text AS cursor_published_at, key::text AS cursor_key
FROM keyed WHERE $5::jsonb IS NULL OR key > $5::jsonb ORDER BY key LIMIT $3 OFFSET $4
