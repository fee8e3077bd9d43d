-- By what an item is ordered in a ranking now.
-- $1 to $12 as in parts.sql, $13 mal_id
WITH
/* ordered */
SELECT key FROM ordered WHERE mal_id = $13
