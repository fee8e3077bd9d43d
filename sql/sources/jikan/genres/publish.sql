-- Takes genres away that a walk did not meet; those that it met were stored with its pages.
-- $1 walk bigint, $2 scope text[] (kind, facet); $3 publishing text[], $4 run uuid, $5 consistent boolean are not needed
WITH seen AS MATERIALIZED (
  SELECT DISTINCT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
), gone AS (
  DELETE FROM jikan.genre g
  WHERE g.kind = ($2::text[])[1] AND g.facet = ($2::text[])[2] AND g.mal_id NOT IN (SELECT key FROM seen)
)
SELECT count(*) AS entries FROM seen WHERE ($3::text[], $4::uuid, $5::boolean) IS NOT NULL
