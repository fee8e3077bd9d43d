-- All data of a move. Lists are JSON.
-- $1 languages text[], $2 move
SELECT m.id, coalesce(n.name, m.name) AS name, n.language, m.name AS slug, m.generation_id AS generation, m.type,
       coalesce(t.name, m.type) AS type_name, m.damage_class, coalesce(c.name, m.damage_class) AS damage_class_name,
       m.power, m.accuracy, m.pp, m.priority, m.effect_chance, m.target,
       replace(x.short_effect, '$effect_chance', coalesce(m.effect_chance::text, '…')) AS short_effect,
       replace(x.effect, '$effect_chance', coalesce(m.effect_chance::text, '…')) AS effect,
       x.effect_language, x.description, x.description_language, x.description_version_group,
       (
         SELECT coalesce(json_agg(json_build_object(
           'id', l.id, 'slug', l.slug, 'name', coalesce(e.name, l.slug)) ORDER BY l.id), '[]')
         FROM jsonb_array_elements(pokeapi.list(r.raw->'learned_by_pokemon')) AS v (value),
              LATERAL (SELECT pokeapi.link_id(v.value), pokeapi.link_name(v.value)) AS l (id, slug)
         LEFT JOIN pokeapi.entry($1) e ON e.id = l.id
       ) AS learned_by
FROM pokeapi.move m JOIN pokeapi.resource r ON r.endpoint = 'move' AND r.id = m.id
LEFT JOIN pokeapi.best_name($1) n ON n.endpoint = 'move' AND n.id = m.id
LEFT JOIN pokeapi.best_name($1) t ON t.endpoint = 'type' AND t.id = m.type_id
LEFT JOIN pokeapi.best_name($1) c ON c.endpoint = 'move-damage-class' AND c.id = m.damage_class_id
CROSS JOIN pokeapi.texts(r.endpoint, r.id, r.raw, $1) x
WHERE m.id = $2
