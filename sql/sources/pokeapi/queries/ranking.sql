-- A ranking of the Pokédex by a number, the highest first. Equal numbers have the same position.
-- $1 to $13 as in list.sql, but the order $12 cannot be id or name
WITH keyed AS (
  SELECT *, -coalesce(value, -1) AS key FROM (
    SELECT *, CASE $12 WHEN 'hp' THEN hp WHEN 'attack' THEN attack WHEN 'defense' THEN defense
                WHEN 'special-attack' THEN special_attack WHEN 'special-defense' THEN special_defense
                WHEN 'speed' THEN speed ELSE total END AS value
    FROM pokeapi.entry($1)
  ) e
), chosen AS (
  SELECT *, rank() OVER (ORDER BY key) AS position, count(*) OVER () AS page_total FROM keyed
  WHERE types @> $2::text[] AND ($3::bigint IS NULL OR generation_id = $3) AND ($4::boolean OR NOT is_form)
    AND ($5::boolean IS NULL OR owned = $5) AND (NOT $6::boolean OR is_legendary)
    AND (NOT $7::boolean OR is_mythical)
)
SELECT position, id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names, value,
       generation_id AS generation,
       (SELECT p.artwork_url FROM pokeapi.pokemon p WHERE p.id = chosen.id) AS artwork_url,
       key::text AS cursor_key, id AS cursor_id, page_total
FROM chosen
WHERE $9::bigint IS NULL
  OR (key, id) > (CASE WHEN $10::boolean THEN $11::integer ELSE (SELECT key FROM keyed WHERE id = $9) END, $9)
ORDER BY key, id LIMIT $8::bigint OFFSET $13
