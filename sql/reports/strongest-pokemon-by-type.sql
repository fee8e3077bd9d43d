-- title: Strongest Pokémon by type
-- description: The strongest Pokémon of each type by the sum of their base stats. By default, special forms, legendary
--   Pokémon and mythical Pokémon are left out.
-- source: pokeapi
-- parameter: limit integer = 5 (0..100000) | Pokémon per type; 0 for all
-- parameter: type text = null | One type only, e.g. fire
-- parameter: generation integer = null (1..1000) | Only Pokémon whose species is of this generation
-- parameter: legendary boolean = false | Include legendary and mythical Pokémon
-- parameter: forms boolean = false | Include special forms, such as Mega Evolutions
-- narrow: owned, types
-- column: type | Name of the type.
-- column: position | Place within the type.
-- column: number | Number in the National Pokédex.
-- column: name | Name in links, e.g. pikachu.
-- column: total | Sum of the six base stats.
-- column: types | All types of the Pokémon, in their order.
-- column: owned | Whether the Pokémon is in the collection named owned.
-- column: generation | Generation of the species.
SELECT type, position, species_id AS number, name, total, types, owned, generation
FROM (
  SELECT t.type, rank() OVER (PARTITION BY t.type ORDER BY p.total DESC, p.id) AS position, p.species_id, p.name,
         p.total, array_to_string(p.types, '/') AS types, p.owned, p.generation_id AS generation
  FROM pokeapi.pokedex p JOIN pokeapi.pokemon_type t ON t.pokemon_id = p.id
  WHERE (:forms OR NOT p.is_form)
    AND (:legendary OR p.is_legendary IS NOT TRUE AND p.is_mythical IS NOT TRUE)
    AND p.total IS NOT NULL
    AND (:generation IS NULL OR p.generation_id = :generation)
    AND (:type IS NULL OR t.type = sync.lower(:type))
) AS ranked
WHERE position <= :limit OR :limit = 0
ORDER BY type, position
