-- All data of a Pokémon. Lists and objects are JSON.
-- $1 languages text[], $2 chain or NULL, $3 Pokémon
WITH entry AS (SELECT * FROM pokeapi.entry($1)), way AS (
  -- This query is the same as evolution.sql.
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
)
SELECT e.id, e.name, e.language, e.slug, e.is_form, e.species_id, e.species, g.genus,
       g.language AS genus_language, e.generation_id AS generation, to_json(e.types) AS types,
       to_json(e.type_names) AS type_names,
       json_build_object(
         'hp', e.hp, 'attack', e.attack, 'defense', e.defense, 'special_attack', e.special_attack,
         'special_defense', e.special_defense, 'speed', e.speed) AS stats,
       e.total,
       (
         SELECT coalesce(json_agg(json_build_object(
           'slug', a.ability, 'name', coalesce(n.name, a.ability), 'is_hidden', coalesce(a.is_hidden, false)
         ) ORDER BY a.slot), '[]')
         FROM pokeapi.pokemon_ability a
         LEFT JOIN LATERAL (
           SELECT name FROM pokeapi.name WHERE endpoint = 'ability' AND id = a.ability_id
           ORDER BY array_position($1::text[], language), language_id, language LIMIT 1
         ) n ON true
         WHERE a.pokemon_id = e.id
       ) AS abilities,
       trim_scale(p.height / 10.0) AS height_m, trim_scale(p.weight / 10.0) AS weight_kg,
       e.is_baby, e.is_legendary, e.is_mythical,
       p.sprite_url, p.sprite_female_url, p.artwork_url, p.artwork_female_url,
       d.text AS description, d.language AS description_language, d.version AS description_version,
       coalesce((SELECT json_agg(json_strip_nulls(row_to_json(way))) FROM way), '[]') AS evolution,
       (
         SELECT coalesce(json_agg(json_build_object('id', o.id, 'slug', o.slug, 'name', o.name) ORDER BY o.id), '[]')
         FROM entry o WHERE o.species_id = e.species_id AND o.id <> e.id
       ) AS forms,
       e.owned
FROM entry e
JOIN pokeapi.pokemon p USING (id)
LEFT JOIN LATERAL (
  SELECT genus, language FROM pokeapi.species_genus
  WHERE species_id = e.species_id ORDER BY array_position($1::text[], language), language_id, language LIMIT 1
) g ON true
LEFT JOIN LATERAL (
  -- The text is from the latest games that have a text in the language.
  SELECT t.text, t.language, t.version FROM pokeapi.species_text t
  LEFT JOIN pokeapi.version v ON v.id = t.version_id
  LEFT JOIN pokeapi.version_group vg ON vg.id = v.version_group_id
  WHERE t.species_id = e.species_id
  ORDER BY array_position($1::text[], t.language), t.language_id, vg."order" DESC NULLS LAST, t.version_id DESC
  LIMIT 1
) d ON true
WHERE e.id = $3
