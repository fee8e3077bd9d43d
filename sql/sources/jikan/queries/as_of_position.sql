-- Where an item stood in a list at a time.
-- $1 to $13 as in parts.sql, $14 mal_id
WITH listed AS (
/* listed */
)
SELECT position FROM listed WHERE mal_id = $14 AND position IS NOT NULL
