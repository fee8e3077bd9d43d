-- Everything that is shown of an ability; what is a list is json.
-- $1 languages text[], $2 ability
WITH
/* entry */
SELECT a.id, coalesce(n.name, a.name) AS name, n.language, a.name AS slug, a.generation_id AS generation,
       x.short_effect, x.effect, x.language AS effect_language, d.text AS description,
       d.language AS description_language, d.version_group AS description_version_group,
       (
         SELECT coalesce(json_agg(json_build_object(
           'id', l.id, 'slug', l.slug, 'name', coalesce(e.name, l.slug), 'is_hidden', l.is_hidden) ORDER BY l.id), '[]')
         FROM jsonb_array_elements(pokeapi.list(r.raw->'pokemon')) AS v (value), LATERAL (
           SELECT pokeapi.link_id(v.value->'pokemon'), pokeapi.link_name(v.value->'pokemon'),
                  coalesce(pokeapi.flag(v.value->'is_hidden'), false)
         ) AS l (id, slug, is_hidden)
         LEFT JOIN entry e ON e.id = l.id
       ) AS pokemon
FROM pokeapi.ability a JOIN pokeapi.resource r ON r.endpoint = 'ability' AND r.id = a.id
LEFT JOIN best_name n ON n.endpoint = 'ability' AND n.id = a.id
/* texts */
WHERE a.id = $2
