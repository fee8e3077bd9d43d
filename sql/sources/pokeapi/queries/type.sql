-- A type's multipliers in attack and defense, and all its Pokémon. Lists are JSON.
-- $1 languages text[], $2 type, $3 its name, $4 whether to include forms
SELECT t.id, $3::text AS name, t.name AS slug, t.generation_id AS generation,
       (SELECT coalesce(json_agg(row_to_json(a)), '[]') FROM pokeapi.attack(t.name) a) AS attacking,
       (SELECT coalesce(json_agg(row_to_json(m)), '[]') FROM pokeapi.matchup(ARRAY[t.name]) m) AS defending,
       (SELECT coalesce(json_agg(json_build_object(
          'id', e.id, 'name', e.name, 'slug', e.slug, 'is_form', e.is_form, 'types', e.types,
          'type_names', e.type_names, 'total', e.total, 'owned', e.owned) ORDER BY e.id), '[]')
        FROM pokeapi.entry($1) e WHERE t.name = ANY (e.types) AND ($4::boolean OR NOT e.is_form)) AS pokemon
FROM pokeapi.type t WHERE t.id = $2
