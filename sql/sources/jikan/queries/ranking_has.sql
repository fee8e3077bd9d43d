-- Whether an item is in a ranking.
-- $1 kind, $2 type of the upstream or NULL, $3 mal_id
/* ordered */
SELECT EXISTS (SELECT FROM ordered WHERE mal_id = $3)
