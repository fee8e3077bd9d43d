-- The first species of a family; for a Pokémon without a known family, its own species.
-- $1 languages text[], $2 chain or NULL, $3 Pokémon
SELECT s.id, coalesce(n.name, s.name, s.id::text) FROM (
  SELECT species_id AS id, species AS name FROM pokeapi.evolution_chain WHERE id = $2
  UNION ALL
  SELECT species_id, species FROM pokeapi.pokemon WHERE id = $3 AND $2::bigint IS NULL
) s LEFT JOIN pokeapi.best_name($1) n ON n.endpoint = 'pokemon-species' AND n.id = s.id
WHERE s.id IS NOT NULL
