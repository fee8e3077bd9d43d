CREATE OR REPLACE FUNCTION pokeapi.times(count integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN count IS NULL THEN '' WHEN count = 1 THEN ' once' ELSE ' ' || count || ' times' END;
COMMENT ON FUNCTION pokeapi.times IS 'The number of times in English, after a space; empty without a number.';

CREATE OR REPLACE FUNCTION pokeapi.evolution_sentence(way jsonb, from_species text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  trigger  CONSTANT text := pokeapi.link_name(way->'trigger');
  item     CONSTANT text := pokeapi.words(pokeapi.link_name(way->'item'));
  move     CONSTANT text := pokeapi.words(pokeapi.link_name(way->'used_move'));
  often    CONSTANT text := pokeapi.times(pokeapi.whole(way->'min_move_count'));
  damage   CONSTANT integer := pokeapi.whole(way->'min_damage_taken');
  gender   CONSTANT integer := pokeapi.whole(way->'gender');
  physical CONSTANT integer := pokeapi.whole(way->'relative_physical_stats');
  daytime  CONSTANT text := nullif(pokeapi.string(way->'time_of_day'), '');
  form     CONSTANT text := pokeapi.link_name(way->'base_form');
  -- The text of these triggers already contains the move or the damage.
  is_use   CONSTANT boolean := coalesce(trigger IN ('use-move', 'agile-style-move', 'strong-style-move'), false);
  is_hurt  CONSTANT boolean := coalesce(trigger IN ('take-damage', 'recoil-damage'), false);
  what     text := CASE trigger
    WHEN 'level-up' THEN 'level up'
    WHEN 'use-item' THEN 'use ' || coalesce(item, 'an item')
    WHEN 'use-move' THEN 'use ' || coalesce(move, 'a move') || often
    WHEN 'agile-style-move' THEN 'use ' || coalesce(move, 'a move') || ' in the agile style' || often
    WHEN 'strong-style-move' THEN 'use ' || coalesce(move, 'a move') || ' in the strong style' || often
    WHEN 'shed' THEN 'be shed as another evolves, with room in the party and a Poké Ball in the bag'
    WHEN 'spin' THEN 'spin around'
    WHEN 'tower-of-darkness' THEN 'train in the Tower of Darkness'
    WHEN 'tower-of-waters' THEN 'train in the Tower of Waters'
    WHEN 'three-critical-hits' THEN 'land three critical hits in one battle'
    WHEN 'take-damage' THEN 'take ' || coalesce('at least ' || damage || ' ', '') || 'damage'
    WHEN 'recoil-damage' THEN 'lose ' || coalesce('at least ' || damage || ' ', '') || 'HP to recoil'
    WHEN 'three-defeated-bisharp' THEN 'defeat three Bisharp that hold a Leader''s Crest'
    WHEN 'gimmighoul-coins' THEN 'collect 999 Gimmighoul Coins'
    WHEN 'other' THEN 'evolve in a way of its own'
    ELSE replace(trigger, '-', ' ')
  END;
  conditions text[];
BEGIN
  conditions := array_remove(ARRAY[
    CASE WHEN trigger = 'level-up' THEN 'at level ' ELSE 'from level ' END || pokeapi.whole(way->'min_level'),
    'with high friendship (' || pokeapi.whole(way->'min_happiness') || ')',
    'with high affection (' || pokeapi.whole(way->'min_affection') || ')',
    'with high beauty (' || pokeapi.whole(way->'min_beauty') || ')',
    CASE WHEN physical > 0 THEN 'with Attack higher than Defense'
         WHEN physical < 0 THEN 'with Attack lower than Defense'
         WHEN physical = 0 THEN 'with Attack equal to Defense' END,
    CASE gender WHEN 1 THEN 'if female' WHEN 2 THEN 'if male' WHEN 3 THEN 'if without gender' END,
    CASE WHEN trigger IS DISTINCT FROM 'use-item' THEN 'with ' || item END,
    'while holding ' || pokeapi.words(pokeapi.link_name(way->'held_item')),
    'knowing ' || pokeapi.words(pokeapi.link_name(way->'known_move')),
    'knowing a ' || pokeapi.words(pokeapi.link_name(way->'known_move_type')) || '-type move',
    CASE WHEN NOT is_use AND (move IS NOT NULL OR often <> '')
         THEN 'after using ' || coalesce(move, 'a move') || often END,
    CASE WHEN NOT is_hurt THEN 'after taking at least ' || damage || ' damage' END,
    'after ' || pokeapi.whole(way->'min_steps') || ' steps',
    'at ' || pokeapi.words(pokeapi.link_name(way->'location')),
    'in ' || pokeapi.words(pokeapi.link_name(way->'region')),
    CASE WHEN pokeapi.flag(way->'near_special_rock') THEN 'near a special rock' END,
    'with ' || pokeapi.words(pokeapi.link_name(way->'party_species')) || ' in the party',
    'with another ' || pokeapi.words(pokeapi.link_name(way->'party_type')) || '-type Pokémon in the party',
    'in exchange for ' || pokeapi.words(pokeapi.link_name(way->'trade_species')),
    CASE WHEN pokeapi.flag(way->'needs_multiplayer') THEN 'in a multiplayer session' END,
    CASE WHEN pokeapi.flag(way->'needs_overworld_rain') THEN 'while it rains' END,
    CASE WHEN pokeapi.flag(way->'turn_upside_down') THEN 'with the console held upside down' END,
    CASE daytime WHEN 'day' THEN 'during the day' WHEN 'night' THEN 'at night' WHEN 'dusk' THEN 'at dusk'
      WHEN 'full-moon' THEN 'under a full moon' ELSE 'at the time ' || replace(daytime, '-', ' ') END,
    CASE WHEN form IS DISTINCT FROM from_species THEN 'from ' || pokeapi.words(form) END,
    'into ' || pokeapi.words(pokeapi.link_name(way->'evolved_form'))
  ], NULL);
  IF what IS NULL THEN
    what := CASE WHEN conditions = '{}' THEN 'evolve in an unknown way' ELSE 'evolve' END;
  END IF;
  RETURN concat_ws(' ', what, nullif(array_to_string(conditions, ', '), ''));
END $$;
COMMENT ON FUNCTION pokeapi.evolution_sentence IS 'A way of evolution in English, with every condition but the games: level up with high friendship (160), during the day.';

CREATE OR REPLACE FUNCTION pokeapi.evolution_stage(of_chain bigint)
RETURNS TABLE (species_id bigint, stage integer)
LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH RECURSIVE descent AS (
    SELECT e.from_species_id AS species_id, 0 AS stage FROM pokeapi.evolution e
    WHERE e.chain_id = of_chain AND NOT EXISTS (
      SELECT FROM pokeapi.evolution p WHERE p.chain_id = of_chain AND p.species_id = e.from_species_id)
    UNION
    SELECT e.species_id, d.stage + 1
    FROM descent d JOIN pokeapi.evolution e ON e.chain_id = of_chain AND e.from_species_id = d.species_id
    -- Families have at most three stages. The limit ends the recursion in a faulty document.
    WHERE d.stage < 20
  )
  SELECT d.species_id, min(d.stage) FROM descent d GROUP BY d.species_id;
END;
COMMENT ON FUNCTION pokeapi.evolution_stage IS 'The number of evolutions from the first species of a family to each species that evolves from it.';
