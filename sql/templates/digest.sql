-- The digest that publishing a walk would store. This statement writes nothing.
-- $1 walk bigint, $2 scope text[], $3 publishing text[], $4 run uuid, $5 consistent boolean
WITH unused AS (SELECT $4::uuid), /* listed */
SELECT /* list */ AS list, count(*) AS entries, /* list-digest */ AS digest FROM listed
HAVING /* has digest */
