-- All data of an ability. Lists are JSON.
-- $1 languages text[], $2 ability
SELECT a.id, coalesce(n.name, a.name) AS name, n.language, a.name AS slug, a.generation_id AS generation,
       x.short_effect, x.effect, x.effect_language, x.description, x.description_language,
       x.description_version_group,
       (
         SELECT coalesce(json_agg(json_build_object(
           'id', l.id, 'slug', l.slug, 'name', coalesce(e.name, l.slug), 'is_hidden', l.is_hidden) ORDER BY l.id), '[]')
         FROM jsonb_array_elements(pokeapi.list(r.raw->'pokemon')) AS v (value), LATERAL (
           SELECT pokeapi.link_id(v.value->'pokemon'), pokeapi.link_name(v.value->'pokemon'),
                  coalesce(pokeapi.flag(v.value->'is_hidden'), false)
         ) AS l (id, slug, is_hidden)
         LEFT JOIN pokeapi.entry($1) e ON e.id = l.id
       ) AS pokemon
FROM pokeapi.ability a JOIN pokeapi.resource r ON r.endpoint = 'ability' AND r.id = a.id
LEFT JOIN pokeapi.best_name($1) n ON n.endpoint = 'ability' AND n.id = a.id
CROSS JOIN pokeapi.texts(r.endpoint, r.id, r.raw, $1) x
WHERE a.id = $2
