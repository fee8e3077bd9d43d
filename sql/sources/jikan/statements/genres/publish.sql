-- Removes the genres that a walk did not meet. If an id was unreadable, no genre is removed.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 walk bigint, $2 scope text[] (kind, facet), $3 publishing text[], $4 run uuid, $5 consistent boolean
WITH unused AS (SELECT $3::text[], $4::uuid, $5::boolean), seen AS MATERIALIZED (
  SELECT DISTINCT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
), kept AS MATERIALIZED (
  SELECT g.mal_id AS key FROM jikan.genre g
  WHERE g.kind = ($2::text[])[1] AND g.facet = ($2::text[])[2] AND g.mal_id NOT IN (SELECT key FROM seen)
    AND /* has unreadable */
), due AS MATERIALIZED (
  SELECT g.mal_id AS key FROM jikan.genre g
  WHERE g.kind = ($2::text[])[1] AND g.facet = ($2::text[])[2]
    AND g.mal_id NOT IN (SELECT key FROM seen UNION ALL SELECT key FROM kept)
), gone AS (
  DELETE FROM jikan.genre g USING due
  WHERE g.kind = ($2::text[])[1] AND g.facet = ($2::text[])[2] AND g.mal_id = due.key
  RETURNING 1
)
SELECT (SELECT count(*) FROM seen) + (SELECT count(*) FROM kept) AS entries,
  CASE WHEN (SELECT count(*) FROM gone) < (SELECT count(*) FROM due) THEN 'jikan.genre' END AS dropped_by
