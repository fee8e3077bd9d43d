-- The digest of the rows that publishing a walk would write. Reads only.
-- $1 walk bigint, $2 scope text[], $3 publishing text[], $4 run uuid is not needed, $5 consistent boolean
WITH /* listed */
SELECT /* list */ AS list, count(*) AS entries, /* list-digest */ AS digest FROM listed
HAVING $4::uuid IS NOT NULL AND /* has digest */
