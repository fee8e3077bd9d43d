-- title: My Pokédex
-- description: Your Pokédex by generation: the species that you own in any form, and those that are missing.
-- source: pokeapi
-- column: generation | Number of the generation.
-- column: species | Mirrored species of the generation.
-- column: owned | Species in the collection owned, in any form.
-- column: missing | Species that are not owned.
-- column: owned_percent | Share of the species that are owned.
-- column: next_missing | Species with the smallest number among those that are not owned.
SELECT generation_id AS generation, count(*) AS species, count(*) FILTER (WHERE is_owned) AS owned,
       count(*) FILTER (WHERE NOT is_owned) AS missing,
       round(100.0 * count(*) FILTER (WHERE is_owned) / count(*), 1) AS owned_percent,
       (array_agg(species ORDER BY species_id) FILTER (WHERE NOT is_owned))[1] AS next_missing
FROM (
  SELECT species_id, max(species) AS species, max(generation_id) AS generation_id, bool_or(owned) AS is_owned
  FROM pokeapi.pokedex WHERE species_id IS NOT NULL GROUP BY species_id
) AS species
GROUP BY generation_id
ORDER BY generation_id
