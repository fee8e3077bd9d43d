-- The Pokémon that matches a word best.
-- $1 languages text[], $2 word
WITH word AS (
  -- Names in links have hyphens instead of spaces, and no dots or apostrophes.
  SELECT translate(sync.lower($2::text), '’', '''') AS exact,
         regexp_replace(translate(sync.lower($2::text), '.’''', ''), '[ _-]+', '-', 'g') AS slug
), shown AS (
  SELECT DISTINCT ON (species_id) species_id, id
  FROM pokeapi.pokemon WHERE species_id IS NOT NULL ORDER BY species_id, is_default DESC NULLS LAST, id
), candidate AS (
  SELECT p.id, 0 AS tier, 0 AS choice FROM pokeapi.pokemon p, word WHERE p.name IN (word.exact, word.slug)
  UNION ALL
  SELECT shown.id, 1, 0 FROM pokeapi.species s JOIN shown ON shown.species_id = s.id, word
  WHERE s.name IN (word.exact, word.slug)
  UNION ALL
  SELECT f.pokemon_id, 2, 0 FROM pokeapi.pokemon_form f, word WHERE f.name IN (word.exact, word.slug)
  UNION ALL
  SELECT shown.id, 3, array_position($1::text[], n.language)
  FROM pokeapi.name n JOIN shown ON shown.species_id = n.id, word
  WHERE n.endpoint = 'pokemon-species' AND translate(sync.lower(n.name), '’', '''') = word.exact
  UNION ALL
  SELECT f.pokemon_id, 4, array_position($1::text[], n.language)
  FROM pokeapi.name n JOIN pokeapi.pokemon_form f ON f.id = n.id, word
  WHERE n.endpoint = 'pokemon-form' AND translate(sync.lower(n.name), '’', '''') = word.exact
  UNION ALL
  SELECT l.pokemon_id, 5, array_position($1::text[], l.language) FROM pokeapi.labelled_form() l WHERE l.name = $2::text
)
SELECT c.id FROM candidate c LEFT JOIN pokeapi.pokedex p ON p.id = c.id
ORDER BY p.id IS NULL, c.tier, c.choice, c.id LIMIT 1
