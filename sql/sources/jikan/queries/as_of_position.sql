-- Where an item stood in a list at a time.
-- $1 to $5 as in listed, $6 mal_id
WITH listed AS (
/* listed */
)
SELECT position FROM listed WHERE mal_id = $6 AND position IS NOT NULL
