-- The ways of evolution of a chain, with the conditions under the upstream's names. Needs species_name.
-- $2 chain
SELECT e.chain_id, e.from_species_id AS from_id, e.from_species AS "from",
       coalesce(fn.name, e.from_species) AS from_name, e.species_id AS to_id, e.species AS "to",
       coalesce(tn.name, e.species) AS to_name, e.trigger, e.item, e.held_item, e.known_move, e.known_move_type,
       e.used_move, e.location, e.region, e.party_species, e.party_type, e.trade_species, e.base_form,
       e.evolved_form, e.gender, e.min_level, e.min_happiness, e.min_affection, e.min_beauty,
       e.min_damage_taken, e.min_move_count, e.min_steps, e.relative_physical_stats, e.time_of_day,
       e.near_special_rock, e.needs_multiplayer, e.needs_overworld_rain, e.turn_upside_down, e.is_default,
       e.version_group, e.sentence
FROM pokeapi.evolution e
LEFT JOIN species_name fn ON fn.id = e.from_species_id
LEFT JOIN species_name tn ON tn.id = e.species_id
WHERE e.chain_id = $2
ORDER BY e.from_species_id NULLS FIRST, e.species_id, e.ordinal
