-- The names of the types in all languages.
-- $1 languages text[], the preferred one first
SELECT n.id, n.name FROM pokeapi.name n WHERE n.endpoint = 'type'
ORDER BY n.id, array_position($1::text[], n.language), n.language_id, n.language
