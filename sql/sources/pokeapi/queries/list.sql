-- The Pokédex, or a ranking of it.
-- $1 languages text[], $2 types text[], all of which a Pokémon must have, $3 generation or NULL, $4 whether forms too,
-- $5 whether owned or NULL, $6 whether only legendary ones, $7 whether only mythical ones, $8 limit or NULL,
-- $9 Pokémon to continue after or NULL
WITH
/* entry */, keyed AS (SELECT *, /* order */ AS key FROM entry),
chosen AS (
  SELECT *, rank() OVER (ORDER BY key) AS position FROM keyed
  WHERE types @> $2::text[] AND ($3::bigint IS NULL OR generation_id = $3) AND ($4::boolean OR NOT is_form)
    AND ($5::boolean IS NULL OR owned = $5) AND (NOT $6::boolean OR is_legendary)
    AND (NOT $7::boolean OR is_mythical)
)
SELECT /* columns */
FROM chosen
WHERE $9::bigint IS NULL OR (key, id) > (SELECT key, id FROM keyed WHERE id = $9)
ORDER BY key, id LIMIT $8::bigint
