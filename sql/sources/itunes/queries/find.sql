-- Part of the items that are found by their words.
-- $1 to $4 as in items, $5 limit, $6 offset
WITH found AS (
/* items */
)
SELECT /* columns */
FROM found ORDER BY /* order */ LIMIT $5 OFFSET $6
