-- $1 Pokémon
SELECT p.id, p.name, p.species_id, s.evolution_chain_id
FROM pokeapi.pokedex p LEFT JOIN pokeapi.species s ON s.id = p.species_id WHERE p.id = $1
