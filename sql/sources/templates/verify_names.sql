-- No row: the names of the columns that the mapping makes.
-- $1 scope text[]
WITH item AS (
  SELECT /* identity */, raw FROM /* table */ d WHERE /* in scope */ LIMIT 0
), derived AS (
/* columns */
)
SELECT * FROM derived
