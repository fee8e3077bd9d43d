-- One page of the Pokédex. All sort values except `id` are negated, so that the highest comes first and null last.
-- $1 languages text[], $2 types text[] that a Pokémon must all have, $3 generation or NULL, $4 with forms, $5 owned or
-- NULL, $6 only legendary ones, $7 only mythical ones, $8 limit or NULL, $9 Pokémon to continue after or NULL, $10
-- whether $11 is given (otherwise the query looks up the sort value of $9), $11 sort value of $9, $12 order: id, name,
-- total, hp, attack, defense, special-attack, special-defense or speed, $13 rows to skip, $14 part of a name or NULL
WITH keyed AS (
  SELECT *, CASE $12 WHEN 'name' THEN NULL WHEN 'id' THEN id ELSE -coalesce(CASE $12
              WHEN 'hp' THEN hp WHEN 'attack' THEN attack WHEN 'defense' THEN defense
              WHEN 'special-attack' THEN special_attack WHEN 'special-defense' THEN special_defense
              WHEN 'speed' THEN speed ELSE total END, -1) END AS number,
         CASE $12 WHEN 'name' THEN sync.lower(name) END AS word
  FROM pokeapi.entry($1)
), place AS (
  SELECT CASE WHEN $12 = 'name' THEN NULL WHEN $10::boolean THEN $11::text::bigint
              ELSE (SELECT number FROM keyed WHERE id = $9) END AS number,
         CASE WHEN $12 <> 'name' THEN NULL WHEN $10 THEN $11
              ELSE (SELECT word FROM keyed WHERE id = $9) END AS word
), named AS (
  -- Names are searched in the preferred languages and as in links. If the word has characters outside of ASCII, names
  -- are searched in all languages. A number is searched as the id, with or without # and zeros.
  SELECT k.id FROM keyed k
  WHERE strpos(sync.lower(k.name), sync.lower($14::text)) > 0
    OR strpos(k.slug, translate(sync.lower($14), ' ', '-')) > 0 OR k.id::text = ltrim($14, '#0')
    OR EXISTS (
      SELECT FROM pokeapi.name n
      WHERE n.endpoint = 'pokemon-species' AND n.id = k.species_id
        AND (n.language = ANY ($1::text[]) OR $14 ~ '[^\u0001-\u007f]')
        AND strpos(sync.lower(n.name), sync.lower($14)) > 0)
), chosen AS (
  SELECT *, count(*) OVER () AS page_total FROM keyed
  WHERE types @> $2::text[] AND ($3::bigint IS NULL OR generation_id = $3) AND ($4::boolean OR NOT is_form)
    AND ($5::boolean IS NULL OR owned = $5) AND (NOT $6::boolean OR is_legendary)
    AND (NOT $7::boolean OR is_mythical) AND ($14 IS NULL OR id IN (SELECT named.id FROM named))
)
SELECT k.id, k.name, k.language, k.slug, k.is_form, to_json(k.types) AS types, to_json(k.type_names) AS type_names,
       k.hp, k.attack, k.defense, k.special_attack, k.special_defense, k.speed, k.total, k.generation_id AS generation,
       k.is_baby, k.is_legendary, k.is_mythical, k.owned,
       (SELECT p.artwork_url FROM pokeapi.pokemon p WHERE p.id = k.id) AS artwork_url,
       coalesce(k.number::text, k.word) AS cursor_key, k.id AS cursor_id, k.page_total
FROM chosen k, place a
WHERE $9::bigint IS NULL OR CASE WHEN $12 <> 'name' THEN (k.number, k.id) > (a.number, $9)
  WHEN k.word IS NOT DISTINCT FROM a.word THEN k.id > $9 ELSE k.word IS NULL OR k.word > a.word END
ORDER BY k.number, k.word, k.id LIMIT $8::bigint OFFSET $13
