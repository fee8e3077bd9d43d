-- Data of a Pokémon's page that show.sql does not return: shiny pictures, facts of the species, and the Pokémon before
-- and after it in the National Pokédex. For another form, these are the neighbours of the species.
-- $1 languages text[], $2 Pokémon
SELECT pokeapi.string(i.sprites->'other'->'official-artwork'->'front_shiny') AS artwork_shiny_url,
       pokeapi.string(i.sprites->'front_shiny') AS sprite_shiny_url, p.base_experience, s.capture_rate, s.gender_rate,
       s.base_happiness, s.growth_rate, s.hatch_counter, s.habitat,
       (SELECT json_agg(g.egg_group ORDER BY g.egg_group_id) FROM pokeapi.species_egg_group g
        WHERE g.species_id = s.id) AS egg_groups,
       before.id AS previous_id, before.name AS previous_name, after.id AS next_id, after.name AS next_name
FROM pokeapi.pokemon p
JOIN pokeapi.resource r ON r.endpoint = 'pokemon' AND r.id = p.id
CROSS JOIN LATERAL (SELECT r.raw->'sprites' OFFSET 0) AS i (sprites)
LEFT JOIN pokeapi.species s ON s.id = p.species_id
CROSS JOIN LATERAL (SELECT CASE WHEN p.id > 10000 THEN p.species_id ELSE p.id END) AS here (id)
LEFT JOIN LATERAL (
  SELECT o.id, (
    SELECT n.name FROM pokeapi.name n WHERE n.endpoint = 'pokemon-species' AND n.id = o.species_id
    ORDER BY array_position($1::text[], n.language), n.language_id, n.language LIMIT 1) AS name
  FROM pokeapi.pokemon o JOIN pokeapi.resource k ON k.endpoint = 'pokemon' AND k.id = o.id AND k.vanished_at IS NULL
  WHERE o.id < here.id ORDER BY o.id DESC LIMIT 1
) before ON true
LEFT JOIN LATERAL (
  SELECT o.id, (
    SELECT n.name FROM pokeapi.name n WHERE n.endpoint = 'pokemon-species' AND n.id = o.species_id
    ORDER BY array_position($1::text[], n.language), n.language_id, n.language LIMIT 1) AS name
  FROM pokeapi.pokemon o JOIN pokeapi.resource k ON k.endpoint = 'pokemon' AND k.id = o.id AND k.vanished_at IS NULL
  WHERE o.id > here.id AND o.id <= 10000 ORDER BY o.id LIMIT 1
) after ON true
WHERE p.id = $2
