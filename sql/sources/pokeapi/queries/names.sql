-- All names by which a Pokémon can be requested.
SELECT name FROM pokeapi.pokedex WHERE name IS NOT NULL
UNION SELECT name FROM pokeapi.species WHERE name IS NOT NULL
UNION SELECT name FROM pokeapi.name WHERE endpoint IN ('pokemon-species', 'pokemon-form')
UNION SELECT name FROM pokeapi.labelled_form()
ORDER BY 1
