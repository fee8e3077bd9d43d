-- The digest that publishing a walk would store. This statement writes nothing.
-- $1 walk bigint, $2 scope text[], $3 publishing text[], $4 run uuid (unused), $5 consistent boolean
WITH /* listed */
SELECT /* list */ AS list, count(*) AS entries, /* list-digest */ AS digest FROM listed
HAVING $4::uuid IS NOT NULL AND /* has digest */
