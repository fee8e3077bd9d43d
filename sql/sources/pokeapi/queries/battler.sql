-- A Pokémon's name, generation and types for a battle. The types are those that it had in the requested generation.
-- $1 languages text[], $2 Pokémon, $3 generation or NULL
WITH past AS (
  SELECT array_agg(type ORDER BY slot) AS types FROM pokeapi.pokemon_past_type
  WHERE pokemon_id = $2 AND $3::bigint <= generation_id GROUP BY generation_id ORDER BY generation_id LIMIT 1
)
SELECT e.name, e.generation_id, to_json(array_remove(coalesce((SELECT types FROM past), e.types), NULL))
FROM pokeapi.entry($1) e WHERE e.id = $2
