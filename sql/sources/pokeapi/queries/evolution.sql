-- All evolutions in a family. The columns of conditions have the upstream's names.
-- $1 languages text[], $2 chain
SELECT e.chain_id, e.from_species_id AS from_id, e.from_species AS "from",
       coalesce(fn.name, e.from_species) AS from_name, e.species_id AS to_id, e.species AS "to",
       coalesce(tn.name, e.species) AS to_name, e.trigger, e.item, e.held_item, e.known_move, e.known_move_type,
       e.used_move, e.location, e.region, e.party_species, e.party_type, e.trade_species, e.base_form,
       e.evolved_form, e.gender, e.min_level, e.min_happiness, e.min_affection, e.min_beauty,
       e.min_damage_taken, e.min_move_count, e.min_steps, e.relative_physical_stats, e.time_of_day,
       e.near_special_rock, e.needs_multiplayer, e.needs_overworld_rain, e.turn_upside_down, e.is_default,
       e.version_group, e.sentence
FROM pokeapi.evolution e
-- OFFSET 0 makes PostgreSQL look up single names instead of reading all names.
LEFT JOIN LATERAL (
  SELECT n.name FROM pokeapi.best_name($1) n WHERE n.endpoint = 'pokemon-species' AND n.id = e.from_species_id OFFSET 0
) fn ON true
LEFT JOIN LATERAL (
  SELECT n.name FROM pokeapi.best_name($1) n WHERE n.endpoint = 'pokemon-species' AND n.id = e.species_id OFFSET 0
) tn ON true
LEFT JOIN pokeapi.evolution_stage($2) s ON s.species_id = e.from_species_id
WHERE e.chain_id = $2
-- An ancestor can have a higher id, because a later generation introduced it, such as Pichu.
ORDER BY s.stage NULLS FIRST, e.from_species_id NULLS FIRST, e.species_id, e.ordinal
