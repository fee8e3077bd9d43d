-- Returns no rows. The program reads only the names of the columns that the mapping derives.
-- $1 scope text[]
WITH item AS (
  SELECT /* identity */, raw FROM /* table */ d WHERE /* in scope */ LIMIT 0
), derived AS (
/* columns */
)
SELECT * FROM derived
