-- The name of each document in the most preferred language that has one. choice is the place of the language among the
-- preferred ones, null for any other. Whoever reads best_name says of which endpoint, and only its names are read.
-- $1 languages text[], the preferred one first
best_name AS NOT MATERIALIZED (
  SELECT DISTINCT ON (n.endpoint, n.id) n.endpoint, n.id, n.name, n.language,
         array_position($1::text[], n.language) AS choice
  FROM pokeapi.name n
  ORDER BY n.endpoint, n.id, array_position($1::text[], n.language), n.language_id, n.language
), species_name AS (
  SELECT id, name, language, choice FROM best_name WHERE endpoint = 'pokemon-species'
)
