-- The Pokédex, or a ranking of it.
-- $1 languages text[], $2 types text[], all of which a Pokémon must have, $3 generation or NULL, $4 whether forms too,
-- $5 whether owned or NULL, $6 whether only legendary ones, $7 whether only mythical ones, $8 limit or NULL,
-- $9 Pokémon to continue after or NULL, $10 whether $11 is what it is sorted by; otherwise that is looked up
WITH
/* entry */, keyed AS (SELECT *, /* order */ AS key FROM entry),
chosen AS (
  SELECT *, rank() OVER (ORDER BY key) AS position FROM keyed
  WHERE types @> $2::text[] AND ($3::bigint IS NULL OR generation_id = $3) AND ($4::boolean OR NOT is_form)
    AND ($5::boolean IS NULL OR owned = $5) AND (NOT $6::boolean OR is_legendary)
    AND (NOT $7::boolean OR is_mythical)
), place AS (
  SELECT CASE WHEN $10::boolean THEN $11::/* type */ ELSE (SELECT key FROM keyed WHERE id = $9) END AS after
)
SELECT /* columns */, key::text AS cursor_key, id AS cursor_id
FROM chosen, place
WHERE $9::bigint IS NULL
  OR CASE WHEN key IS NOT DISTINCT FROM after THEN id > $9 ELSE key IS NULL OR key > after END
ORDER BY key, id LIMIT $8::bigint
