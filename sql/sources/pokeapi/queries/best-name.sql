-- The name of each document in the most preferred language that has one. choice is the place of the language among the
-- preferred ones, null for any other.
-- $1 languages text[], the preferred one first
best_name AS (
  SELECT DISTINCT ON (n.endpoint, n.id) n.endpoint, n.id, n.name, n.language,
         array_position($1::text[], n.language) AS choice
  FROM pokeapi.name n
  WHERE n.endpoint IN ('pokemon-species', 'pokemon-form', 'type')
  ORDER BY n.endpoint, n.id, array_position($1::text[], n.language), n.language_id, n.language
)
