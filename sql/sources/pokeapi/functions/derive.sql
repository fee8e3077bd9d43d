-- The function made_TABLE returns the rows of a derived table for the given documents. If a document repeats a part,
-- the first one counts. The functions are in PL/pgSQL, because it caches plans.

CREATE OR REPLACE FUNCTION pokeapi.made_name(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.name LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, l.language) of_endpoint, p.id, l.language, pokeapi.link_id(p.value->'language'), l.name
  FROM pokeapi.parts(of_endpoint, ids, 'names') AS p,
       LATERAL (SELECT pokeapi.link_name(p.value->'language'), pokeapi.string(p.value->'name')) AS l (language, name)
  WHERE l.language IS NOT NULL AND l.name IS NOT NULL
  ORDER BY p.id, l.language, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_name IS 'Names in documents of any endpoint.';

CREATE OR REPLACE FUNCTION pokeapi.made_effect(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.effect LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, l.language) of_endpoint, p.id, l.language, pokeapi.link_id(p.value->'language'),
         pokeapi.clean(pokeapi.string(p.value->'short_effect'), l.language), pokeapi.string(p.value->'effect')
  FROM pokeapi.parts(of_endpoint, ids, 'effect_entries') AS p,
       LATERAL (SELECT pokeapi.link_name(p.value->'language')) AS l (language)
  WHERE l.language IS NOT NULL
  ORDER BY p.id, l.language, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_effect IS 'Effects of moves, abilities and items.';

CREATE OR REPLACE FUNCTION pokeapi.made_language(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.language LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'iso639'), pokeapi.string(raw->'iso3166'),
         pokeapi.flag(raw->'official')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_language IS 'Languages.';

CREATE OR REPLACE FUNCTION pokeapi.made_version(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.version LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'version_group'), pokeapi.link_name(raw->'version_group')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_version IS 'Games.';

CREATE OR REPLACE FUNCTION pokeapi.made_version_group(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.version_group LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_version_group IS 'Games that were published together.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_type(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_type LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.slot) p.id, s.slot, pokeapi.link_id(p.value->'type'), pokeapi.link_name(p.value->'type')
  FROM pokeapi.parts(of_endpoint, ids, 'types') AS p, LATERAL (SELECT pokeapi.whole(p.value->'slot')) AS s (slot)
  WHERE s.slot IS NOT NULL
  ORDER BY p.id, s.slot, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_type IS 'Types of Pokémon.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_past_type(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_past_type LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.generation_id, s.slot) p.id, s.generation_id, s.slot, pokeapi.link_id(e.value->'type'),
         pokeapi.link_name(e.value->'type')
  FROM pokeapi.parts(of_endpoint, ids, 'past_types') AS p,
       jsonb_array_elements(pokeapi.list(p.value->'types')) WITH ORDINALITY AS e (value, n),
       LATERAL (
         SELECT pokeapi.link_id(p.value->'generation'), pokeapi.whole(e.value->'slot')
       ) AS s (generation_id, slot)
  WHERE s.generation_id IS NOT NULL AND s.slot IS NOT NULL
  ORDER BY p.id, s.generation_id, s.slot, p.n, e.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_past_type IS 'Types that Pokémon had up to a generation.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_stat(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_stat LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.stat_id) p.id, s.stat_id, pokeapi.link_name(p.value->'stat'),
         pokeapi.whole(p.value->'base_stat'), pokeapi.whole(p.value->'effort')
  FROM pokeapi.parts(of_endpoint, ids, 'stats') AS p, LATERAL (SELECT pokeapi.link_id(p.value->'stat')) AS s (stat_id)
  WHERE s.stat_id IS NOT NULL
  ORDER BY p.id, s.stat_id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_stat IS 'Base stats of Pokémon.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_past_stat(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_past_stat LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.generation_id, s.stat_id) p.id, s.generation_id, s.stat_id,
         pokeapi.link_name(e.value->'stat'), pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
  FROM pokeapi.parts(of_endpoint, ids, 'past_stats') AS p,
       jsonb_array_elements(pokeapi.list(p.value->'stats')) WITH ORDINALITY AS e (value, n),
       LATERAL (
         SELECT pokeapi.link_id(p.value->'generation'), pokeapi.link_id(e.value->'stat')
       ) AS s (generation_id, stat_id)
  WHERE s.generation_id IS NOT NULL AND s.stat_id IS NOT NULL
  ORDER BY p.id, s.generation_id, s.stat_id, p.n, e.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_past_stat IS 'Base stats that Pokémon had up to a generation.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_ability(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_ability LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.slot) p.id, s.slot, pokeapi.link_id(p.value->'ability'),
         pokeapi.link_name(p.value->'ability'), pokeapi.flag(p.value->'is_hidden')
  FROM pokeapi.parts(of_endpoint, ids, 'abilities') AS p, LATERAL (SELECT pokeapi.whole(p.value->'slot')) AS s (slot)
  WHERE s.slot IS NOT NULL
  ORDER BY p.id, s.slot, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_ability IS 'Abilities of Pokémon.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'species'), pokeapi.link_name(d.raw->'species'),
         pokeapi.flag(d.raw->'is_default'), pokeapi.whole(d.raw->'height'), pokeapi.whole(d.raw->'weight'),
         pokeapi.whole(d.raw->'base_experience'), pokeapi.whole(d.raw->'order'), pokeapi.whole(to_jsonb(t.total)),
         pokeapi.string(d.raw->'sprites'->'front_default'), pokeapi.string(d.raw->'sprites'->'front_female'),
         pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_default'),
         -- The artwork has no pictures of females yet. The pictures of Pokémon Home have the same size.
         coalesce(pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_female'),
                  pokeapi.string(d.raw->'sprites'->'other'->'home'->'front_female')),
         pokeapi.string(d.raw->'cries'->'latest')
  FROM pokeapi.documents(of_endpoint, ids, '{moves,game_indices,held_items}') AS d
  LEFT JOIN (
    SELECT pokemon_id, sum(base_stat) AS total FROM pokeapi.made_pokemon_stat(of_endpoint, ids) GROUP BY 1
  ) AS t ON t.pokemon_id = d.id
  ORDER BY d.id;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon IS 'Pokémon, with the sum of their stats.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_form_type(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_form_type LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.slot) p.id, s.slot, pokeapi.link_id(p.value->'type'), pokeapi.link_name(p.value->'type')
  FROM pokeapi.parts(of_endpoint, ids, 'types') AS p, LATERAL (SELECT pokeapi.whole(p.value->'slot')) AS s (slot)
  WHERE s.slot IS NOT NULL
  ORDER BY p.id, s.slot, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_form_type IS 'Types of forms.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokemon_form(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokemon_form LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'form_name'), pokeapi.link_id(raw->'pokemon'),
         pokeapi.link_name(raw->'pokemon'), pokeapi.link_id(raw->'version_group'),
         pokeapi.link_name(raw->'version_group'), pokeapi.whole(raw->'order'), pokeapi.whole(raw->'form_order'),
         pokeapi.flag(raw->'is_default'), pokeapi.flag(raw->'is_battle_only'), pokeapi.flag(raw->'is_mega'),
         pokeapi.string(raw->'sprites'->'front_default')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokemon_form IS 'Forms of Pokémon.';

CREATE OR REPLACE FUNCTION pokeapi.made_species_egg_group(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.species_egg_group LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, g.id) p.id, g.id, pokeapi.link_name(p.value)
  FROM pokeapi.parts(of_endpoint, ids, 'egg_groups') AS p, LATERAL (SELECT pokeapi.link_id(p.value)) AS g (id)
  WHERE g.id IS NOT NULL
  ORDER BY p.id, g.id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_species_egg_group IS 'Egg groups of species.';

CREATE OR REPLACE FUNCTION pokeapi.made_species_text(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.species_text LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, t.language, t.version_id) p.id, t.language, pokeapi.link_id(p.value->'language'),
         t.version_id, pokeapi.link_name(p.value->'version'), pokeapi.clean(t.text, t.language)
  FROM pokeapi.parts(of_endpoint, ids, 'flavor_text_entries') AS p,
       LATERAL (
         SELECT pokeapi.link_name(p.value->'language'), pokeapi.link_id(p.value->'version'),
                pokeapi.string(p.value->'flavor_text')
       ) AS t (language, version_id, text)
  WHERE t.language IS NOT NULL AND t.version_id IS NOT NULL AND t.text IS NOT NULL
  ORDER BY p.id, t.language, t.version_id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_species_text IS 'Descriptions of species in the games.';

CREATE OR REPLACE FUNCTION pokeapi.made_species_genus(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.species_genus LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, t.language) p.id, t.language, pokeapi.link_id(p.value->'language'), t.genus
  FROM pokeapi.parts(of_endpoint, ids, 'genera') AS p,
       LATERAL (SELECT pokeapi.link_name(p.value->'language'), pokeapi.string(p.value->'genus')) AS t (language, genus)
  WHERE t.language IS NOT NULL AND t.genus IS NOT NULL
  ORDER BY p.id, t.language, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_species_genus IS 'Genera of species.';

CREATE OR REPLACE FUNCTION pokeapi.made_pokedex_number(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.pokedex_number LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, x.id) p.id, x.id, pokeapi.link_name(p.value->'pokedex'),
         pokeapi.whole(p.value->'entry_number')
  FROM pokeapi.parts(of_endpoint, ids, 'pokedex_numbers') AS p,
       LATERAL (SELECT pokeapi.link_id(p.value->'pokedex')) AS x (id)
  WHERE x.id IS NOT NULL
  ORDER BY p.id, x.id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_pokedex_number IS 'Numbers of species in each Pokédex.';

CREATE OR REPLACE FUNCTION pokeapi.made_species(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.species LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation'), pokeapi.flag(raw->'is_baby'), pokeapi.flag(raw->'is_legendary'),
         pokeapi.flag(raw->'is_mythical'), pokeapi.flag(raw->'has_gender_differences'),
         pokeapi.flag(raw->'forms_switchable'), pokeapi.link_id(raw->'color'), pokeapi.link_name(raw->'color'),
         pokeapi.link_id(raw->'shape'), pokeapi.link_name(raw->'shape'), pokeapi.link_id(raw->'habitat'),
         pokeapi.link_name(raw->'habitat'), pokeapi.link_id(raw->'growth_rate'), pokeapi.link_name(raw->'growth_rate'),
         pokeapi.whole(raw->'capture_rate'), pokeapi.whole(raw->'base_happiness'), pokeapi.whole(raw->'gender_rate'),
         pokeapi.whole(raw->'hatch_counter'), pokeapi.link_id(raw->'evolves_from_species'),
         pokeapi.link_name(raw->'evolves_from_species'), pokeapi.link_id(raw->'evolution_chain')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_species IS 'Species.';

CREATE OR REPLACE FUNCTION pokeapi.made_evolution_chain(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.evolution_chain LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.link_id(raw->'chain'->'species'), pokeapi.link_name(raw->'chain'->'species'),
         pokeapi.link_id(raw->'baby_trigger_item'), pokeapi.link_name(raw->'baby_trigger_item')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_evolution_chain IS 'Families.';

CREATE OR REPLACE FUNCTION pokeapi.made_evolution(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.evolution LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  WITH RECURSIVE node AS (
    SELECT id AS chain_id, raw->'chain' AS value, NULL::jsonb AS parent, '{}'::bigint[] AS path
    FROM pokeapi.documents(of_endpoint, ids)
    UNION ALL
    SELECT node.chain_id, e.value, node.value, node.path || e.n
    FROM node, jsonb_array_elements(pokeapi.list(node.value->'evolves_to')) WITH ORDINALITY AS e (value, n)
    -- Families have at most three generations. The limit ends the recursion in a faulty document.
    WHERE cardinality(node.path) < 20
  ), way AS (
    SELECT node.chain_id, pokeapi.link_id(node.value->'species') AS species_id, node.value AS node, node.parent,
           coalesce(w.value, '{}') AS value, node.path, w.n
    FROM node
    LEFT JOIN LATERAL (
      -- Instead of a list with one element, a document can contain just the element.
      SELECT * FROM jsonb_array_elements(
        CASE jsonb_typeof(node.value->'evolution_details')
          WHEN 'object' THEN jsonb_build_array(node.value->'evolution_details')
          ELSE pokeapi.list(node.value->'evolution_details') END
      ) WITH ORDINALITY AS d (value, n)
      WHERE jsonb_typeof(d.value) = 'object'
    ) w ON true
    WHERE node.parent IS NOT NULL AND pokeapi.link_id(node.value->'species') IS NOT NULL
  )
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
         -- In these members, true is a condition, and false means no condition.
         nullif(pokeapi.flag(value->'near_special_rock'), false),
         nullif(pokeapi.flag(value->'needs_multiplayer'), false),
         nullif(pokeapi.flag(value->'needs_overworld_rain'), false),
         nullif(pokeapi.flag(value->'turn_upside_down'), false)
  FROM way
  ORDER BY chain_id, species_id, ordinal;
END $$;
COMMENT ON FUNCTION pokeapi.made_evolution IS 'The ways in which species evolve.';

CREATE OR REPLACE FUNCTION pokeapi.made_type(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.type LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.link_id(raw->'move_damage_class'), pokeapi.link_name(raw->'move_damage_class'),
         jsonb_path_exists(raw, '$.damage_relations.*[*] ? (@.type() == "object")')
  FROM pokeapi.documents(of_endpoint, ids, '{moves,pokemon,sprites}')
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_type IS 'Types.';

CREATE OR REPLACE FUNCTION pokeapi.made_type_relation(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.type_relation LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  WITH doc AS MATERIALIZED (
    SELECT * FROM pokeapi.documents(of_endpoint, ids, '{moves,pokemon,sprites}')
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
  )
  -- A pair of types that has a multiplier in any period gets a row for each period. The default multiplier is 1.
  SELECT DISTINCT ON (s.id, t.defending_type_id, s.generation_id) s.id, t.defending_type_id, s.generation_id,
         pokeapi.string(d.raw->'name'), t.defending_type, coalesce(p.multiplier, 1)
  FROM doc d
  JOIN said s USING (id)
  JOIN (SELECT DISTINCT id, defending_type_id, defending_type FROM pair) t USING (id)
  LEFT JOIN pair p ON p.id = s.id AND p.generation_id = s.generation_id AND p.defending_type_id = t.defending_type_id
  WHERE t.defending_type_id IS NOT NULL
  ORDER BY s.id, t.defending_type_id, s.generation_id, p.multiplier, t.defending_type COLLATE "C";
END $$;
COMMENT ON FUNCTION pokeapi.made_type_relation IS 'Damage multipliers between types.';

CREATE OR REPLACE FUNCTION pokeapi.made_move(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.move LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
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
  FROM pokeapi.documents(of_endpoint, ids, '{learned_by_pokemon,flavor_text_entries,machines}')
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_move IS 'Moves.';

CREATE OR REPLACE FUNCTION pokeapi.made_move_stat_change(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.move_stat_change LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, s.stat_id) p.id, s.stat_id, pokeapi.link_name(p.value->'stat'),
         pokeapi.whole(p.value->'change')
  FROM pokeapi.parts(of_endpoint, ids, 'stat_changes') AS p,
       LATERAL (SELECT pokeapi.link_id(p.value->'stat')) AS s (stat_id)
  WHERE s.stat_id IS NOT NULL
  ORDER BY p.id, s.stat_id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_move_stat_change IS 'Stats that moves change.';

CREATE OR REPLACE FUNCTION pokeapi.made_move_past_value(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.move_past_value LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, g.id) p.id, g.id, pokeapi.link_name(p.value->'version_group'),
         pokeapi.link_id(p.value->'type'), pokeapi.link_name(p.value->'type'), pokeapi.whole(p.value->'power'),
         pokeapi.whole(p.value->'accuracy'), pokeapi.whole(p.value->'pp'), pokeapi.whole(p.value->'effect_chance')
  FROM pokeapi.parts(of_endpoint, ids, 'past_values') AS p,
       LATERAL (SELECT pokeapi.link_id(p.value->'version_group')) AS g (id)
  WHERE g.id IS NOT NULL
  ORDER BY p.id, g.id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_move_past_value IS 'Values that moves had before a group of games.';

CREATE OR REPLACE FUNCTION pokeapi.made_ability(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.ability LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.flag(raw->'is_main_series')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_ability IS 'Abilities.';

CREATE OR REPLACE FUNCTION pokeapi.made_item(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.item LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'category'), pokeapi.link_name(raw->'category'),
         pokeapi.whole(raw->'fling_power'), pokeapi.link_id(raw->'fling_effect'),
         pokeapi.link_name(raw->'fling_effect'), pokeapi.link_id(raw->'baby_trigger_for'),
         pokeapi.string(raw->'sprites'->'default')
  FROM pokeapi.documents(of_endpoint, ids, '{flavor_text_entries,held_by_pokemon,machines}')
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_item IS 'Items.';

CREATE OR REPLACE FUNCTION pokeapi.made_item_price(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.item_price LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT DISTINCT ON (p.id, k.version_group_id, k.currency_id) p.id, k.version_group_id, k.currency_id,
         pokeapi.link_name(p.value->'version_group'), pokeapi.link_name(p.value->'currency'),
         pokeapi.whole(p.value->'purchase_price'), pokeapi.whole(p.value->'sell_price')
  FROM pokeapi.parts(of_endpoint, ids, 'prices') AS p,
       LATERAL (
         SELECT pokeapi.link_id(p.value->'version_group'), pokeapi.link_id(p.value->'currency')
       ) AS k (version_group_id, currency_id)
  WHERE k.version_group_id IS NOT NULL AND k.currency_id IS NOT NULL
  ORDER BY p.id, k.version_group_id, k.currency_id, p.n;
END $$;
COMMENT ON FUNCTION pokeapi.made_item_price IS 'Prices of items.';

CREATE OR REPLACE FUNCTION pokeapi.made_nature(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.nature LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'increased_stat'),
         pokeapi.link_name(raw->'increased_stat'), pokeapi.link_id(raw->'decreased_stat'),
         pokeapi.link_name(raw->'decreased_stat'), pokeapi.link_id(raw->'likes_flavor'),
         pokeapi.link_name(raw->'likes_flavor'), pokeapi.link_id(raw->'hates_flavor'),
         pokeapi.link_name(raw->'hates_flavor')
  FROM pokeapi.documents(of_endpoint, ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.made_nature IS 'Natures.';

CREATE OR REPLACE FUNCTION pokeapi.made_encounter(of_endpoint text, ids bigint[])
RETURNS SETOF pokeapi.encounter LANGUAGE plpgsql STABLE
-- Memoize would cache the content of each element, but almost no element occurs twice.
SET enable_memoize = off
AS $$
BEGIN RETURN QUERY
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
           -- Half of the encounters have no conditions. For them, this check avoids the slow query.
           CASE WHEN e.value->'condition_values' = '[]' THEN '{}' ELSE ARRAY(
             SELECT pokeapi.link_name(c.value)
             FROM jsonb_array_elements(pokeapi.list(e.value->'condition_values')) AS c (value)
             WHERE pokeapi.link_name(c.value) IS NOT NULL
             ORDER BY pokeapi.link_name(c.value) COLLATE "C") END AS conditions,
           pokeapi.flag(e.value->'pokemon_details'->'is_alpha') AS is_alpha,
           pokeapi.flag(e.value->'pokemon_details'->'always_shiny') AS always_shiny,
           pokeapi.flag(e.value->'pokemon_details'->'never_shiny') AS never_shiny,
           pokeapi.whole(e.value->'pokemon_details'->'min_perfect_ivs') AS min_perfect_ivs
    FROM pokeapi.resource r,
         jsonb_array_elements(pokeapi.list(r.raw)) WITH ORDINALITY AS a (value, n),
         -- OFFSET 0 makes PostgreSQL read the members once for each area, not for each row.
         LATERAL (
           SELECT pokeapi.link_id(a.value->'location_area'), pokeapi.link_name(a.value->'location_area') OFFSET 0
         ) AS area (id, name),
         jsonb_array_elements(pokeapi.list(a.value->'version_details')) WITH ORDINALITY AS v (value, n),
         LATERAL (
           SELECT pokeapi.link_id(v.value->'version'), pokeapi.link_name(v.value->'version'),
                  pokeapi.whole(v.value->'max_chance') OFFSET 0
         ) AS game (id, name, max_chance),
         jsonb_array_elements(pokeapi.list(v.value->'encounter_details')) WITH ORDINALITY AS e (value, n)
    WHERE r.endpoint = of_endpoint AND r.id = ANY (ids)
      AND area.id IS NOT NULL AND game.id IS NOT NULL AND jsonb_typeof(e.value) = 'object'
  ) AS way
  ORDER BY pokemon_id, location_area_id, version_id, ordinal;
END $$;
COMMENT ON FUNCTION pokeapi.made_encounter IS 'Places where Pokémon are encountered.';

CREATE OR REPLACE FUNCTION pokeapi.derived_tables(of_endpoint text) RETURNS TABLE (relation text, id_column text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT 'name', 'id'
  UNION ALL
  SELECT t.relation, t.id_column
  FROM (VALUES
    ('ability', 'effect', 'id'), ('item', 'effect', 'id'), ('move', 'effect', 'id'), ('ability', 'ability', 'id'),
    ('evolution-chain', 'evolution_chain', 'id'), ('evolution-chain', 'evolution', 'chain_id'),
    ('item', 'item', 'id'), ('item', 'item_price', 'item_id'), ('language', 'language', 'id'), ('move', 'move', 'id'),
    ('move', 'move_stat_change', 'move_id'), ('move', 'move_past_value', 'move_id'), ('nature', 'nature', 'id'),
    ('pokemon', 'pokemon', 'id'), ('pokemon', 'pokemon_type', 'pokemon_id'),
    ('pokemon', 'pokemon_past_type', 'pokemon_id'), ('pokemon', 'pokemon_stat', 'pokemon_id'),
    ('pokemon', 'pokemon_past_stat', 'pokemon_id'), ('pokemon', 'pokemon_ability', 'pokemon_id'),
    ('pokemon-encounters', 'encounter', 'pokemon_id'), ('pokemon-form', 'pokemon_form', 'id'),
    ('pokemon-form', 'pokemon_form_type', 'form_id'), ('pokemon-species', 'species', 'id'),
    ('pokemon-species', 'species_egg_group', 'species_id'), ('pokemon-species', 'species_text', 'species_id'),
    ('pokemon-species', 'species_genus', 'species_id'), ('pokemon-species', 'pokedex_number', 'species_id'),
    ('type', 'type', 'id'), ('type', 'type_relation', 'attacking_type_id'), ('version', 'version', 'id'),
    ('version-group', 'version_group', 'id')
  ) AS t (endpoint, relation, id_column)
  WHERE t.endpoint = of_endpoint
$$;
COMMENT ON FUNCTION pokeapi.derived_tables IS 'The tables that are derived from documents of an endpoint, in the order of writing, and their columns with the document''s id. pokeapi.made_TABLE returns the rows.';

-- The function runs as its owner, because syncctl_worker can write documents but no derived tables.
CREATE OR REPLACE FUNCTION pokeapi.derive(endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Every look-up is by key. In a first load, plans are cached while the tables are empty, so scans must be disabled.
SET enable_seqscan = off
-- The planner expects long arrays, and would therefore compile each statement (JIT) on every call.
SET jit = off
AS $$
DECLARE
  t record;
BEGIN
  IF cardinality(ids) > 0 THEN
    FOR t IN SELECT * FROM pokeapi.derived_tables(endpoint) LOOP
      EXECUTE format('DELETE FROM pokeapi.%I WHERE %I = ANY ($2)', t.relation, t.id_column)
           || CASE WHEN t.relation IN ('name', 'effect') THEN ' AND endpoint = $1' ELSE '' END USING endpoint, ids;
      EXECUTE format('INSERT INTO pokeapi.%I SELECT * FROM pokeapi.%I($1, $2)', t.relation, 'made_' || t.relation)
        USING endpoint, ids;
    END LOOP;
  END IF;
END $$;
COMMENT ON FUNCTION pokeapi.derive IS 'Derives the rows of these documents again and replaces the stored rows. For an endpoint without own tables, only names are derived. The function never fails because of a document''s content.';

REVOKE EXECUTE ON FUNCTION pokeapi.derive FROM PUBLIC;
