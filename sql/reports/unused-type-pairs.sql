-- title: Unused type pairs
-- description: Pairs of types that no mirrored Pokémon has. Special forms, such as a Mega Evolution or a regional form,
--   are ignored by default, but the first special form with both types is named.
-- source: pokeapi
-- parameter: forms boolean = false | Count special forms as Pokémon
-- column: type1 | A type.
-- column: type2 | The other type. Each pair has one row.
-- column: forms | Number of special forms with both types.
-- column: form | First special form with both types.
WITH pair AS (
  SELECT first.type_id AS id1, second.type_id AS id2, count(*) FILTER (WHERE NOT p.is_form) AS pokemon,
         count(*) FILTER (WHERE p.is_form) AS forms,
         (array_agg(p.name ORDER BY p.id) FILTER (WHERE p.is_form))[1] AS form
  FROM pokeapi.pokemon_type first
  JOIN pokeapi.pokemon_type second ON second.pokemon_id = first.pokemon_id AND second.type_id > first.type_id
  JOIN pokeapi.pokedex p ON p.id = first.pokemon_id
  GROUP BY first.type_id, second.type_id
)
SELECT a.name AS type1, b.name AS type2, coalesce(p.forms, 0) AS forms, p.form
FROM pokeapi.type a
JOIN pokeapi.type b ON b.id > a.id
LEFT JOIN pair p ON p.id1 = a.id AND p.id2 = b.id
WHERE a.is_battle AND b.is_battle AND coalesce(p.pokemon, 0) = 0 AND (NOT :forms OR coalesce(p.forms, 0) = 0)
ORDER BY a.id, b.id
