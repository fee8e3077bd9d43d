-- How many items are found by their words.
-- $1 to $4 as in items
WITH found AS (
/* items */
)
SELECT count(*) FROM found
