-- The documents of an endpoint that match a word best. Several documents can match equally well.
-- $1 languages text[], $2 word, $3 endpoint
WITH word AS (
  -- Names in links have hyphens instead of spaces, and no dots or apostrophes.
  SELECT translate(sync.lower($2::text), '’', '''') AS exact,
         regexp_replace(translate(sync.lower($2::text), '.’''', ''), '[ _-]+', '-', 'g') AS slug
), candidate AS (
  SELECT r.id, 0 AS tier, 0 AS choice FROM pokeapi.resource r, word
  WHERE r.endpoint = $3 AND r.name IN (word.exact, word.slug)
  UNION ALL
  SELECT n.id, 1, array_position($1::text[], n.language) FROM pokeapi.name n, word
  WHERE n.endpoint = $3 AND translate(sync.lower(n.name), '’', '''') = word.exact
)
SELECT DISTINCT id FROM (
  SELECT c.id, rank() OVER (ORDER BY r.vanished_at IS NOT NULL, c.tier, c.choice) AS place
  FROM candidate c JOIN pokeapi.resource r ON r.endpoint = $3 AND r.id = c.id
) best
WHERE place = 1 ORDER BY id
