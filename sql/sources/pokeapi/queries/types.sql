-- All mirrored types, ordered by their names in links.
SELECT t.id, coalesce(t.name, t.id::text), coalesce(t.is_battle, false), t.generation_id FROM pokeapi.type t
JOIN pokeapi.resource r ON r.endpoint = 'type' AND r.id = t.id AND r.vanished_at IS NULL
ORDER BY t.name, t.id
