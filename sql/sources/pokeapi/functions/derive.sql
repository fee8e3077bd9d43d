-- revision: 1
-- Each of these replaces the rows that were derived from some documents. Rows are deleted and inserted in the order of
-- keys. If a document repeats a part, the first one counts.

CREATE OR REPLACE FUNCTION pokeapi.derive_names(of_endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.name WHERE endpoint = of_endpoint AND id = ANY (ids);
  INSERT INTO pokeapi.name (endpoint, id, language, language_id, name)
  SELECT DISTINCT ON (r.id, l.language) of_endpoint, r.id, l.language, pokeapi.link_id(e.value->'language'), l.name
  FROM pokeapi.resource r, jsonb_array_elements(pokeapi.list(r.raw->'names')) WITH ORDINALITY AS e (value, n),
       LATERAL (SELECT pokeapi.link_name(e.value->'language'), pokeapi.string(e.value->'name')) AS l (language, name)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) AND l.language IS NOT NULL AND l.name IS NOT NULL
  ORDER BY r.id, l.language, e.n;
END $$;
COMMENT ON FUNCTION pokeapi.derive_names IS 'Replaces the names of documents of any endpoint.';

CREATE OR REPLACE FUNCTION pokeapi.derive_effects(of_endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.effect WHERE endpoint = of_endpoint AND id = ANY (ids);
  INSERT INTO pokeapi.effect (endpoint, id, language, language_id, short_effect, effect)
  SELECT DISTINCT ON (r.id, l.language) of_endpoint, r.id, l.language, pokeapi.link_id(e.value->'language'),
         pokeapi.clean(pokeapi.string(e.value->'short_effect'), l.language), pokeapi.string(e.value->'effect')
  FROM pokeapi.resource r, jsonb_array_elements(pokeapi.list(r.raw->'effect_entries')) WITH ORDINALITY AS e (value, n),
       LATERAL (SELECT pokeapi.link_name(e.value->'language')) AS l (language)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) AND l.language IS NOT NULL
  ORDER BY r.id, l.language, e.n;
END $$;
COMMENT ON FUNCTION pokeapi.derive_effects IS 'Replaces the effects of moves, abilities or items.';

CREATE OR REPLACE FUNCTION pokeapi.derive_language(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.language WHERE id = ANY (ids);
  INSERT INTO pokeapi.language (id, name, iso639, iso3166, official)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'iso639'), pokeapi.string(raw->'iso3166'),
         pokeapi.flag(raw->'official')
  FROM pokeapi.resource WHERE endpoint = 'language' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_language IS 'Replaces languages.';

CREATE OR REPLACE FUNCTION pokeapi.derive_version(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.version WHERE id = ANY (ids);
  INSERT INTO pokeapi.version (id, name, version_group_id, version_group)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'version_group'), pokeapi.link_name(raw->'version_group')
  FROM pokeapi.resource WHERE endpoint = 'version' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_version IS 'Replaces games.';

CREATE OR REPLACE FUNCTION pokeapi.derive_version_group(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.version_group WHERE id = ANY (ids);
  INSERT INTO pokeapi.version_group (id, name, "order", generation_id, generation)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation')
  FROM pokeapi.resource WHERE endpoint = 'version-group' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_version_group IS 'Replaces games that were published together.';

CREATE OR REPLACE FUNCTION pokeapi.derive_pokemon(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.pokemon WHERE id = ANY (ids);
  DELETE FROM pokeapi.pokemon_type WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_past_type WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_stat WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_past_stat WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_ability WHERE pokemon_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{moves,game_indices,held_items}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'pokemon' AND id = ANY (ids)
  ), types AS (
    INSERT INTO pokeapi.pokemon_type (pokemon_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  ), past_types AS (
    INSERT INTO pokeapi.pokemon_past_type (pokemon_id, generation_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.generation_id, s.slot) d.id, s.generation_id, s.slot, pokeapi.link_id(e.value->'type'),
           pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_types')) WITH ORDINALITY AS p (value, n),
         jsonb_array_elements(pokeapi.list(p.value->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(p.value->'generation'), pokeapi.whole(e.value->'slot')
         ) AS s (generation_id, slot)
    WHERE s.generation_id IS NOT NULL AND s.slot IS NOT NULL
    ORDER BY d.id, s.generation_id, s.slot, p.n, e.n
  ), stats AS (
    INSERT INTO pokeapi.pokemon_stat (pokemon_id, stat_id, stat, base_stat, effort)
    SELECT DISTINCT ON (d.id, s.stat_id) d.id, s.stat_id, pokeapi.link_name(e.value->'stat'),
           pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'stats')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'stat')) AS s (stat_id)
    WHERE s.stat_id IS NOT NULL
    ORDER BY d.id, s.stat_id, e.n
    RETURNING pokemon_id, base_stat
  ), past_stats AS (
    INSERT INTO pokeapi.pokemon_past_stat (pokemon_id, generation_id, stat_id, stat, base_stat, effort)
    SELECT DISTINCT ON (d.id, s.generation_id, s.stat_id) d.id, s.generation_id, s.stat_id,
           pokeapi.link_name(e.value->'stat'), pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_stats')) WITH ORDINALITY AS p (value, n),
         jsonb_array_elements(pokeapi.list(p.value->'stats')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(p.value->'generation'), pokeapi.link_id(e.value->'stat')
         ) AS s (generation_id, stat_id)
    WHERE s.generation_id IS NOT NULL AND s.stat_id IS NOT NULL
    ORDER BY d.id, s.generation_id, s.stat_id, p.n, e.n
  ), abilities AS (
    INSERT INTO pokeapi.pokemon_ability (pokemon_id, slot, ability_id, ability, is_hidden)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'ability'),
           pokeapi.link_name(e.value->'ability'), pokeapi.flag(e.value->'is_hidden')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'abilities')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  )
  INSERT INTO pokeapi.pokemon
    (id, name, species_id, species, is_default, height, weight, base_experience, "order", total, sprite_url,
     sprite_female_url, artwork_url, artwork_female_url, cry_url)
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'species'), pokeapi.link_name(d.raw->'species'),
         pokeapi.flag(d.raw->'is_default'), pokeapi.whole(d.raw->'height'), pokeapi.whole(d.raw->'weight'),
         pokeapi.whole(d.raw->'base_experience'), pokeapi.whole(d.raw->'order'), pokeapi.whole(to_jsonb(t.total)),
         pokeapi.string(d.raw->'sprites'->'front_default'), pokeapi.string(d.raw->'sprites'->'front_female'),
         pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_default'),
         -- The artwork has no females yet; the pictures of the app Home do, and have the same size.
         coalesce(pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_female'),
                  pokeapi.string(d.raw->'sprites'->'other'->'home'->'front_female')),
         pokeapi.string(d.raw->'cries'->'latest')
  FROM doc d LEFT JOIN (SELECT pokemon_id, sum(base_stat) AS total FROM stats GROUP BY 1) t ON t.pokemon_id = d.id
  ORDER BY d.id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_pokemon IS 'Replaces Pokémon with their types, stats and abilities.';

CREATE OR REPLACE FUNCTION pokeapi.derive_pokemon_form(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.pokemon_form WHERE id = ANY (ids);
  DELETE FROM pokeapi.pokemon_form_type WHERE form_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw) AS raw FROM pokeapi.resource WHERE endpoint = 'pokemon-form' AND id = ANY (ids)
  ), types AS (
    INSERT INTO pokeapi.pokemon_form_type (form_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  )
  INSERT INTO pokeapi.pokemon_form
    (id, name, form_name, pokemon_id, pokemon, version_group_id, version_group, "order", form_order, is_default,
     is_battle_only, is_mega, sprite_url)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'form_name'), pokeapi.link_id(raw->'pokemon'),
         pokeapi.link_name(raw->'pokemon'), pokeapi.link_id(raw->'version_group'),
         pokeapi.link_name(raw->'version_group'), pokeapi.whole(raw->'order'), pokeapi.whole(raw->'form_order'),
         pokeapi.flag(raw->'is_default'), pokeapi.flag(raw->'is_battle_only'), pokeapi.flag(raw->'is_mega'),
         pokeapi.string(raw->'sprites'->'front_default')
  FROM doc
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_pokemon_form IS 'Replaces forms with their types.';

CREATE OR REPLACE FUNCTION pokeapi.derive_species(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.species WHERE id = ANY (ids);
  DELETE FROM pokeapi.species_egg_group WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.species_text WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.species_genus WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.pokedex_number WHERE species_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw) AS raw FROM pokeapi.resource WHERE endpoint = 'pokemon-species' AND id = ANY (ids)
  ), egg_groups AS (
    INSERT INTO pokeapi.species_egg_group (species_id, egg_group_id, egg_group)
    SELECT DISTINCT ON (d.id, g.id) d.id, g.id, pokeapi.link_name(e.value)
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'egg_groups')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value)) AS g (id)
    WHERE g.id IS NOT NULL
    ORDER BY d.id, g.id, e.n
  ), texts AS (
    INSERT INTO pokeapi.species_text (species_id, language, language_id, version_id, version, text)
    SELECT DISTINCT ON (d.id, t.language, t.version_id) d.id, t.language, pokeapi.link_id(e.value->'language'),
           t.version_id, pokeapi.link_name(e.value->'version'), pokeapi.clean(t.text, t.language)
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'flavor_text_entries')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_name(e.value->'language'), pokeapi.link_id(e.value->'version'),
                  pokeapi.string(e.value->'flavor_text')
         ) AS t (language, version_id, text)
    WHERE t.language IS NOT NULL AND t.version_id IS NOT NULL AND t.text IS NOT NULL
    ORDER BY d.id, t.language, t.version_id, e.n
  ), genera AS (
    INSERT INTO pokeapi.species_genus (species_id, language, language_id, genus)
    SELECT DISTINCT ON (d.id, t.language) d.id, t.language, pokeapi.link_id(e.value->'language'), t.genus
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'genera')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_name(e.value->'language'), pokeapi.string(e.value->'genus')
         ) AS t (language, genus)
    WHERE t.language IS NOT NULL AND t.genus IS NOT NULL
    ORDER BY d.id, t.language, e.n
  ), numbers AS (
    INSERT INTO pokeapi.pokedex_number (species_id, pokedex_id, pokedex, entry_number)
    SELECT DISTINCT ON (d.id, p.id) d.id, p.id, pokeapi.link_name(e.value->'pokedex'),
           pokeapi.whole(e.value->'entry_number')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'pokedex_numbers')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'pokedex')) AS p (id)
    WHERE p.id IS NOT NULL
    ORDER BY d.id, p.id, e.n
  )
  INSERT INTO pokeapi.species
    (id, name, "order", generation_id, generation, is_baby, is_legendary, is_mythical, has_gender_differences,
     forms_switchable, color_id, color, shape_id, shape, habitat_id, habitat, growth_rate_id, growth_rate, capture_rate,
     base_happiness, gender_rate, hatch_counter, evolves_from_species_id, evolves_from_species, evolution_chain_id)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation'), pokeapi.flag(raw->'is_baby'), pokeapi.flag(raw->'is_legendary'),
         pokeapi.flag(raw->'is_mythical'), pokeapi.flag(raw->'has_gender_differences'),
         pokeapi.flag(raw->'forms_switchable'), pokeapi.link_id(raw->'color'), pokeapi.link_name(raw->'color'),
         pokeapi.link_id(raw->'shape'), pokeapi.link_name(raw->'shape'), pokeapi.link_id(raw->'habitat'),
         pokeapi.link_name(raw->'habitat'), pokeapi.link_id(raw->'growth_rate'), pokeapi.link_name(raw->'growth_rate'),
         pokeapi.whole(raw->'capture_rate'), pokeapi.whole(raw->'base_happiness'), pokeapi.whole(raw->'gender_rate'),
         pokeapi.whole(raw->'hatch_counter'), pokeapi.link_id(raw->'evolves_from_species'),
         pokeapi.link_name(raw->'evolves_from_species'), pokeapi.link_id(raw->'evolution_chain')
  FROM doc
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_species IS 'Replaces species with their egg groups, texts, genera and numbers.';

CREATE OR REPLACE FUNCTION pokeapi.derive_evolution(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.evolution_chain WHERE id = ANY (ids);
  DELETE FROM pokeapi.evolution WHERE chain_id = ANY (ids);
  INSERT INTO pokeapi.evolution_chain (id, species_id, species, baby_trigger_item_id, baby_trigger_item)
  SELECT id, pokeapi.link_id(raw->'chain'->'species'), pokeapi.link_name(raw->'chain'->'species'),
         pokeapi.link_id(raw->'baby_trigger_item'), pokeapi.link_name(raw->'baby_trigger_item')
  FROM pokeapi.resource WHERE endpoint = 'evolution-chain' AND id = ANY (ids)
  ORDER BY id;
  WITH RECURSIVE node AS (
    SELECT id AS chain_id, raw->'chain' AS value, NULL::jsonb AS parent, '{}'::bigint[] AS path
    FROM pokeapi.resource WHERE endpoint = 'evolution-chain' AND id = ANY (ids)
    UNION ALL
    SELECT node.chain_id, e.value, node.value, node.path || e.n
    FROM node, jsonb_array_elements(pokeapi.list(node.value->'evolves_to')) WITH ORDINALITY AS e (value, n)
    -- Families have three generations.
    WHERE cardinality(node.path) < 20
  ), way AS (
    -- A species is known to evolve even if its document does not say how.
    SELECT node.chain_id, pokeapi.link_id(node.value->'species') AS species_id, node.value AS node, node.parent,
           coalesce(w.value, '{}') AS value, node.path, w.n
    FROM node
    LEFT JOIN LATERAL (
      SELECT * FROM jsonb_array_elements(pokeapi.list(node.value->'evolution_details')) WITH ORDINALITY AS d (value, n)
      WHERE jsonb_typeof(d.value) = 'object'
    ) w ON true
    WHERE node.parent IS NOT NULL AND pokeapi.link_id(node.value->'species') IS NOT NULL
  )
  INSERT INTO pokeapi.evolution
    (chain_id, species_id, ordinal, species, from_species_id, from_species, is_baby, sentence, is_default,
     version_group_id, version_group, trigger_id, trigger, item_id, item, held_item_id, held_item, known_move_id,
     known_move, known_move_type_id, known_move_type, used_move_id, used_move, location_id, location, region_id, region,
     party_species_id, party_species, party_type_id, party_type, trade_species_id, trade_species, base_form_id,
     base_form, evolved_form_id, evolved_form, gender, min_level, min_happiness, min_affection, min_beauty,
     min_damage_taken, min_move_count, min_steps, relative_physical_stats, time_of_day, near_special_rock,
     needs_multiplayer, needs_overworld_rain, turn_upside_down)
  SELECT chain_id, species_id,
         row_number() OVER (
           PARTITION BY chain_id, species_id ORDER BY pokeapi.link_id(value->'version_group'), path, n
         )::integer AS ordinal,
         pokeapi.link_name(node->'species'), pokeapi.link_id(parent->'species'), pokeapi.link_name(parent->'species'),
         pokeapi.flag(node->'is_baby'),
         pokeapi.evolution_sentence(value, pokeapi.link_name(parent->'species')), pokeapi.flag(value->'is_default'),
         pokeapi.link_id(value->'version_group'), pokeapi.link_name(value->'version_group'),
         pokeapi.link_id(value->'trigger'), pokeapi.link_name(value->'trigger'),
         pokeapi.link_id(value->'item'), pokeapi.link_name(value->'item'),
         pokeapi.link_id(value->'held_item'), pokeapi.link_name(value->'held_item'),
         pokeapi.link_id(value->'known_move'), pokeapi.link_name(value->'known_move'),
         pokeapi.link_id(value->'known_move_type'), pokeapi.link_name(value->'known_move_type'),
         pokeapi.link_id(value->'used_move'), pokeapi.link_name(value->'used_move'),
         pokeapi.link_id(value->'location'), pokeapi.link_name(value->'location'),
         pokeapi.link_id(value->'region'), pokeapi.link_name(value->'region'),
         pokeapi.link_id(value->'party_species'), pokeapi.link_name(value->'party_species'),
         pokeapi.link_id(value->'party_type'), pokeapi.link_name(value->'party_type'),
         pokeapi.link_id(value->'trade_species'), pokeapi.link_name(value->'trade_species'),
         pokeapi.link_id(value->'base_form'), pokeapi.link_name(value->'base_form'),
         pokeapi.link_id(value->'evolved_form'), pokeapi.link_name(value->'evolved_form'),
         pokeapi.whole(value->'gender'), pokeapi.whole(value->'min_level'), pokeapi.whole(value->'min_happiness'),
         pokeapi.whole(value->'min_affection'), pokeapi.whole(value->'min_beauty'),
         pokeapi.whole(value->'min_damage_taken'), pokeapi.whole(value->'min_move_count'),
         pokeapi.whole(value->'min_steps'), pokeapi.whole(value->'relative_physical_stats'),
         nullif(pokeapi.string(value->'time_of_day'), ''),
         -- Of these, only true is a condition.
         nullif(pokeapi.flag(value->'near_special_rock'), false),
         nullif(pokeapi.flag(value->'needs_multiplayer'), false),
         nullif(pokeapi.flag(value->'needs_overworld_rain'), false),
         nullif(pokeapi.flag(value->'turn_upside_down'), false)
  FROM way
  ORDER BY chain_id, species_id, ordinal;
END $$;
COMMENT ON FUNCTION pokeapi.derive_evolution IS 'Replaces families and the ways of their evolution.';

CREATE OR REPLACE FUNCTION pokeapi.derive_type(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.type WHERE id = ANY (ids);
  DELETE FROM pokeapi.type_relation WHERE attacking_type_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{moves,pokemon,sprites}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'type' AND id = ANY (ids)
  ), said AS (
    SELECT d.id, s.generation_id, s.relations
    FROM doc d, LATERAL (
      SELECT 0, d.raw->'damage_relations'
      UNION ALL
      SELECT pokeapi.link_id(e.value->'generation'), e.value->'damage_relations'
      FROM jsonb_array_elements(pokeapi.list(d.raw->'past_damage_relations')) AS e (value)
    ) AS s (generation_id, relations)
    WHERE s.generation_id >= 0 AND jsonb_typeof(s.relations) = 'object'
  ), pair AS (
    SELECT s.id, s.generation_id, pokeapi.link_id(e.value) AS defending_type_id,
           pokeapi.link_name(e.value) AS defending_type, r.multiplier
    FROM said s, (VALUES ('double_damage_to', 2), ('half_damage_to', 0.5), ('no_damage_to', 0)) AS r (name, multiplier),
         jsonb_array_elements(pokeapi.list(s.relations->r.name)) AS e (value)
  ), relation AS (
    -- A pair that is a relation at one time only has a row for both times.
    INSERT INTO pokeapi.type_relation
      (attacking_type_id, defending_type_id, generation_id, attacking_type, defending_type, multiplier)
    SELECT DISTINCT ON (s.id, t.defending_type_id, s.generation_id) s.id, t.defending_type_id, s.generation_id,
           pokeapi.string(d.raw->'name'), t.defending_type, coalesce(p.multiplier, 1)
    FROM doc d
    JOIN said s USING (id)
    JOIN (SELECT DISTINCT id, defending_type_id, defending_type FROM pair) t USING (id)
    LEFT JOIN pair p ON p.id = s.id AND p.generation_id = s.generation_id AND p.defending_type_id = t.defending_type_id
    WHERE t.defending_type_id IS NOT NULL
    ORDER BY s.id, t.defending_type_id, s.generation_id, p.multiplier, t.defending_type
  )
  INSERT INTO pokeapi.type
    (id, name, generation_id, generation, move_damage_class_id, move_damage_class, is_battle)
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'generation'),
         pokeapi.link_name(d.raw->'generation'), pokeapi.link_id(d.raw->'move_damage_class'),
         pokeapi.link_name(d.raw->'move_damage_class'),
         jsonb_path_exists(d.raw, '$.damage_relations.*[*] ? (@.type() == "object")')
  FROM doc d
  ORDER BY d.id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_type IS 'Replaces types and what they do to others.';

CREATE OR REPLACE FUNCTION pokeapi.derive_move(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.move WHERE id = ANY (ids);
  DELETE FROM pokeapi.move_stat_change WHERE move_id = ANY (ids);
  DELETE FROM pokeapi.move_past_value WHERE move_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{learned_by_pokemon,flavor_text_entries,machines}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'move' AND id = ANY (ids)
  ), stat_changes AS (
    INSERT INTO pokeapi.move_stat_change (move_id, stat_id, stat, change)
    SELECT DISTINCT ON (d.id, s.stat_id) d.id, s.stat_id, pokeapi.link_name(e.value->'stat'),
           pokeapi.whole(e.value->'change')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'stat_changes')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'stat')) AS s (stat_id)
    WHERE s.stat_id IS NOT NULL
    ORDER BY d.id, s.stat_id, e.n
  ), past_values AS (
    INSERT INTO pokeapi.move_past_value
      (move_id, version_group_id, version_group, type_id, type, power, accuracy, pp, effect_chance)
    SELECT DISTINCT ON (d.id, g.id) d.id, g.id, pokeapi.link_name(e.value->'version_group'),
           pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type'), pokeapi.whole(e.value->'power'),
           pokeapi.whole(e.value->'accuracy'), pokeapi.whole(e.value->'pp'), pokeapi.whole(e.value->'effect_chance')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_values')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'version_group')) AS g (id)
    WHERE g.id IS NOT NULL
    ORDER BY d.id, g.id, e.n
  )
  INSERT INTO pokeapi.move
    (id, name, generation_id, generation, type_id, type, damage_class_id, damage_class, power, accuracy, pp, priority,
     effect_chance, target_id, target, category_id, category, ailment_id, ailment, ailment_chance, flinch_chance,
     stat_chance, crit_rate, drain, healing, min_hits, max_hits, min_turns, max_turns)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.link_id(raw->'type'), pokeapi.link_name(raw->'type'), pokeapi.link_id(raw->'damage_class'),
         pokeapi.link_name(raw->'damage_class'), pokeapi.whole(raw->'power'), pokeapi.whole(raw->'accuracy'),
         pokeapi.whole(raw->'pp'), pokeapi.whole(raw->'priority'), pokeapi.whole(raw->'effect_chance'),
         pokeapi.link_id(raw->'target'), pokeapi.link_name(raw->'target'),
         pokeapi.link_id(raw->'meta'->'category'), pokeapi.link_name(raw->'meta'->'category'),
         pokeapi.link_id(raw->'meta'->'ailment'), pokeapi.link_name(raw->'meta'->'ailment'),
         pokeapi.whole(raw->'meta'->'ailment_chance'), pokeapi.whole(raw->'meta'->'flinch_chance'),
         pokeapi.whole(raw->'meta'->'stat_chance'), pokeapi.whole(raw->'meta'->'crit_rate'),
         pokeapi.whole(raw->'meta'->'drain'), pokeapi.whole(raw->'meta'->'healing'),
         pokeapi.whole(raw->'meta'->'min_hits'), pokeapi.whole(raw->'meta'->'max_hits'),
         pokeapi.whole(raw->'meta'->'min_turns'), pokeapi.whole(raw->'meta'->'max_turns')
  FROM doc
  ORDER BY id;
  PERFORM pokeapi.derive_effects('move', ids);
END $$;
COMMENT ON FUNCTION pokeapi.derive_move IS 'Replaces moves with what they change and their past values.';

CREATE OR REPLACE FUNCTION pokeapi.derive_ability(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.ability WHERE id = ANY (ids);
  INSERT INTO pokeapi.ability (id, name, generation_id, generation, is_main_series)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.flag(raw->'is_main_series')
  FROM pokeapi.resource WHERE endpoint = 'ability' AND id = ANY (ids)
  ORDER BY id;
  PERFORM pokeapi.derive_effects('ability', ids);
END $$;
COMMENT ON FUNCTION pokeapi.derive_ability IS 'Replaces abilities.';

CREATE OR REPLACE FUNCTION pokeapi.derive_item(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.item WHERE id = ANY (ids);
  DELETE FROM pokeapi.item_price WHERE item_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{flavor_text_entries,held_by_pokemon,machines}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'item' AND id = ANY (ids)
  ), prices AS (
    INSERT INTO pokeapi.item_price
      (item_id, version_group_id, currency_id, version_group, currency, purchase_price, sell_price)
    SELECT DISTINCT ON (d.id, k.version_group_id, k.currency_id) d.id, k.version_group_id, k.currency_id,
           pokeapi.link_name(e.value->'version_group'), pokeapi.link_name(e.value->'currency'),
           pokeapi.whole(e.value->'purchase_price'), pokeapi.whole(e.value->'sell_price')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'prices')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(e.value->'version_group'), pokeapi.link_id(e.value->'currency')
         ) AS k (version_group_id, currency_id)
    WHERE k.version_group_id IS NOT NULL AND k.currency_id IS NOT NULL
    ORDER BY d.id, k.version_group_id, k.currency_id, e.n
  )
  INSERT INTO pokeapi.item
    (id, name, category_id, category, fling_power, fling_effect_id, fling_effect, baby_trigger_for_id, sprite_url)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'category'), pokeapi.link_name(raw->'category'),
         pokeapi.whole(raw->'fling_power'), pokeapi.link_id(raw->'fling_effect'),
         pokeapi.link_name(raw->'fling_effect'), pokeapi.link_id(raw->'baby_trigger_for'),
         pokeapi.string(raw->'sprites'->'default')
  FROM doc
  ORDER BY id;
  PERFORM pokeapi.derive_effects('item', ids);
END $$;
COMMENT ON FUNCTION pokeapi.derive_item IS 'Replaces items with their prices.';

CREATE OR REPLACE FUNCTION pokeapi.derive_nature(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.nature WHERE id = ANY (ids);
  INSERT INTO pokeapi.nature
    (id, name, increased_stat_id, increased_stat, decreased_stat_id, decreased_stat, likes_flavor_id, likes_flavor,
     hates_flavor_id, hates_flavor)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'increased_stat'),
         pokeapi.link_name(raw->'increased_stat'), pokeapi.link_id(raw->'decreased_stat'),
         pokeapi.link_name(raw->'decreased_stat'), pokeapi.link_id(raw->'likes_flavor'),
         pokeapi.link_name(raw->'likes_flavor'), pokeapi.link_id(raw->'hates_flavor'),
         pokeapi.link_name(raw->'hates_flavor')
  FROM pokeapi.resource WHERE endpoint = 'nature' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_nature IS 'Replaces natures.';

CREATE OR REPLACE FUNCTION pokeapi.derive_encounter(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.encounter WHERE pokemon_id = ANY (ids);
  INSERT INTO pokeapi.encounter
    (pokemon_id, location_area_id, version_id, ordinal, location_area, version, method_id, method, min_level, max_level,
     chance, max_chance, conditions, is_alpha, always_shiny, never_shiny, min_perfect_ivs)
  SELECT pokemon_id, location_area_id, version_id,
         row_number() OVER (
           PARTITION BY pokemon_id, location_area_id, version_id ORDER BY area_n, version_n, n)::integer AS ordinal,
         location_area, version, method_id, method, min_level, max_level, chance, max_chance, conditions, is_alpha,
         always_shiny, never_shiny, min_perfect_ivs
  FROM (
    SELECT r.id AS pokemon_id, area.id AS location_area_id, area.name AS location_area, a.n AS area_n,
           game.id AS version_id, game.name AS version, game.max_chance, v.n AS version_n, e.n,
           pokeapi.link_id(e.value->'method') AS method_id, pokeapi.link_name(e.value->'method') AS method,
           pokeapi.whole(e.value->'min_level') AS min_level, pokeapi.whole(e.value->'max_level') AS max_level,
           pokeapi.whole(e.value->'chance') AS chance,
           ARRAY(
             SELECT pokeapi.link_name(c.value)
             FROM jsonb_array_elements(pokeapi.list(e.value->'condition_values')) AS c (value)
             WHERE pokeapi.link_name(c.value) IS NOT NULL ORDER BY 1) AS conditions,
           pokeapi.flag(e.value->'pokemon_details'->'is_alpha') AS is_alpha,
           pokeapi.flag(e.value->'pokemon_details'->'always_shiny') AS always_shiny,
           pokeapi.flag(e.value->'pokemon_details'->'never_shiny') AS never_shiny,
           pokeapi.whole(e.value->'pokemon_details'->'min_perfect_ivs') AS min_perfect_ivs
    FROM pokeapi.resource r,
         jsonb_array_elements(pokeapi.list(r.raw)) WITH ORDINALITY AS a (value, n),
         -- OFFSET 0: read once for each area, and not for every row.
         LATERAL (
           SELECT pokeapi.link_id(a.value->'location_area'), pokeapi.link_name(a.value->'location_area') OFFSET 0
         ) AS area (id, name),
         jsonb_array_elements(pokeapi.list(a.value->'version_details')) WITH ORDINALITY AS v (value, n),
         LATERAL (
           SELECT pokeapi.link_id(v.value->'version'), pokeapi.link_name(v.value->'version'),
                  pokeapi.whole(v.value->'max_chance') OFFSET 0
         ) AS game (id, name, max_chance),
         jsonb_array_elements(pokeapi.list(v.value->'encounter_details')) WITH ORDINALITY AS e (value, n)
    WHERE r.endpoint = 'pokemon-encounters' AND r.id = ANY (ids)
      AND area.id IS NOT NULL AND game.id IS NOT NULL AND jsonb_typeof(e.value) = 'object'
  ) AS way
  ORDER BY pokemon_id, location_area_id, version_id, ordinal;
END $$;
COMMENT ON FUNCTION pokeapi.derive_encounter IS 'Replaces encounters.';

-- It runs as its owner: a role that writes the mirror may write documents, and nothing that contradicts them.
CREATE OR REPLACE FUNCTION pokeapi.derive(endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Every lookup is by key. The plans are cached, and in a first load they are made when the tables are empty.
SET enable_seqscan = off
-- The planner expects long arrays, and would compile every statement each time.
SET jit = off
AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pokeapi.derive_names(endpoint, ids);
    CASE endpoint
      WHEN 'ability' THEN PERFORM pokeapi.derive_ability(ids);
      WHEN 'evolution-chain' THEN PERFORM pokeapi.derive_evolution(ids);
      WHEN 'item' THEN PERFORM pokeapi.derive_item(ids);
      WHEN 'language' THEN PERFORM pokeapi.derive_language(ids);
      WHEN 'move' THEN PERFORM pokeapi.derive_move(ids);
      WHEN 'nature' THEN PERFORM pokeapi.derive_nature(ids);
      WHEN 'pokemon' THEN PERFORM pokeapi.derive_pokemon(ids);
      WHEN 'pokemon-encounters' THEN PERFORM pokeapi.derive_encounter(ids);
      WHEN 'pokemon-form' THEN PERFORM pokeapi.derive_pokemon_form(ids);
      WHEN 'pokemon-species' THEN PERFORM pokeapi.derive_species(ids);
      WHEN 'type' THEN PERFORM pokeapi.derive_type(ids);
      WHEN 'version' THEN PERFORM pokeapi.derive_version(ids);
      WHEN 'version-group' THEN PERFORM pokeapi.derive_version_group(ids);
      ELSE NULL;
    END CASE;
  END IF;
END $$;
COMMENT ON FUNCTION pokeapi.derive IS 'Replaces everything that is derived from these documents with rows from their current text; for an endpoint without tables of its own, the names. No content of a document makes it fail.';

REVOKE EXECUTE ON FUNCTION pokeapi.derive FROM PUBLIC;
