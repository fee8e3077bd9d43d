-- How many items a search returned.
-- $1 and $2 as in results
WITH found AS (
/* results */
)
SELECT count(*) FROM found
