-- Part of what a search returned.
-- $1 and $2 as in results, $3 limit, $4 offset
WITH found AS (
/* results */
)
SELECT /* columns */
FROM found ORDER BY /* order */ LIMIT $3 OFFSET $4
