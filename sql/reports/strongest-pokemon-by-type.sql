-- The five strongest Pokémon of every type by the sum of their base stats, without forms, legendary and mythical ones.
SELECT type, position, species_id AS number, name, total, types, owned
FROM (
  SELECT t.type, rank() OVER (PARTITION BY t.type ORDER BY p.total DESC, p.id) AS position, p.species_id, p.name,
         p.total, array_to_string(p.types, '/') AS types, p.owned
  FROM pokeapi.pokedex p JOIN pokeapi.pokemon_type t ON t.pokemon_id = p.id
  WHERE NOT p.is_form AND p.is_legendary IS NOT TRUE AND p.is_mythical IS NOT TRUE AND p.total IS NOT NULL
) AS ranked
WHERE position <= 5
ORDER BY type, position
