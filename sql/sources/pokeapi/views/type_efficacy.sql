CREATE OR REPLACE VIEW pokeapi.type_efficacy AS
SELECT a.id AS attacking_type_id, a.name AS attacking_type, d.id AS defending_type_id, d.name AS defending_type,
       coalesce(r.generation_id, 0) AS generation_id, coalesce(r.multiplier, 1) AS multiplier
FROM pokeapi.type a
CROSS JOIN pokeapi.type d
LEFT JOIN pokeapi.type_relation r ON r.attacking_type_id = a.id AND r.defending_type_id = d.id
WHERE a.is_battle AND d.is_battle;
COMMENT ON VIEW   pokeapi.type_efficacy IS 'The damage multipliers of each attacking type against each defending type: the current multiplier, and each earlier multiplier. pokeapi.matchup and pokeapi.attack read this view.';
COMMENT ON COLUMN pokeapi.type_efficacy.attacking_type_id IS 'Id of the attacking type.';
COMMENT ON COLUMN pokeapi.type_efficacy.attacking_type IS 'Name of the attacking type.';
COMMENT ON COLUMN pokeapi.type_efficacy.defending_type_id IS 'Id of the defending type.';
COMMENT ON COLUMN pokeapi.type_efficacy.defending_type IS 'Name of the defending type.';
COMMENT ON COLUMN pokeapi.type_efficacy.generation_id IS 'Last generation in which the multiplier was valid; 0 for the current multiplier.';
COMMENT ON COLUMN pokeapi.type_efficacy.multiplier IS '2, 1, 0.5 or 0.';

CREATE OR REPLACE AGGREGATE pokeapi.product(numeric) (SFUNC = pg_catalog.numeric_mul, STYPE = numeric, INITCOND = '1');
COMMENT ON AGGREGATE pokeapi.product(numeric) IS 'Product of all values; 1 without values.';

CREATE OR REPLACE FUNCTION pokeapi.efficacy(generation integer DEFAULT NULL)
RETURNS TABLE (attacking_type text, defending_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- `generation_id` is the last generation in which a multiplier was valid, or 0 for the current multiplier. The query
  -- returns the multiplier that was valid in the requested generation.
  SELECT DISTINCT ON (e.attacking_type_id, e.defending_type_id) e.attacking_type, e.defending_type, e.multiplier
  FROM pokeapi.type_efficacy e
  JOIN pokeapi.type a ON a.id = e.attacking_type_id
  JOIN pokeapi.type d ON d.id = e.defending_type_id
  WHERE (e.generation_id = 0 OR e.generation_id >= efficacy.generation)
    AND (efficacy.generation IS NULL OR greatest(a.generation_id, d.generation_id, 1) <= efficacy.generation)
  ORDER BY e.attacking_type_id, e.defending_type_id, e.generation_id = 0, e.generation_id;
END;
COMMENT ON FUNCTION pokeapi.efficacy IS 'The damage multipliers of each type against each type, today or in a generation. Types that the generation did not have are omitted.';

CREATE OR REPLACE FUNCTION pokeapi.matchup(defending text[], generation integer DEFAULT NULL)
RETURNS TABLE (attacking_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT e.attacking_type, trim_scale(pokeapi.product(e.multiplier)) AS multiplier
  FROM pokeapi.efficacy(generation) e
  WHERE e.defending_type = ANY (defending)
  GROUP BY e.attacking_type
  HAVING count(*) = (SELECT count(DISTINCT name) FROM unnest(defending) AS name)
  ORDER BY multiplier DESC, e.attacking_type;
END;
COMMENT ON FUNCTION pokeapi.matchup(text[], integer) IS 'Stable. The damage multipliers of each type against a Pokémon of these types, today or in a generation. No rows if a type did not exist.';

CREATE OR REPLACE FUNCTION pokeapi.matchup(type1 text, type2 text DEFAULT NULL, generation integer DEFAULT NULL)
RETURNS TABLE (attacking_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT m.attacking_type, m.multiplier FROM pokeapi.matchup(array_remove(ARRAY[type1, type2], NULL), generation) m;
END;
COMMENT ON FUNCTION pokeapi.matchup(text, text, integer) IS 'Stable. The damage multipliers of each type against a Pokémon of one or two types, today or in a generation. No rows if a type did not exist.';

CREATE OR REPLACE FUNCTION pokeapi.attack(attacking text, generation integer DEFAULT NULL)
RETURNS TABLE (defending_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT e.defending_type, e.multiplier FROM pokeapi.efficacy(generation) e
  WHERE e.attacking_type = attacking
  ORDER BY e.multiplier DESC, e.defending_type;
END;
COMMENT ON FUNCTION pokeapi.attack IS 'The damage multipliers of a type against each single type, today or in a generation. No rows if the type did not exist.';
