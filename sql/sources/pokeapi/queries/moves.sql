-- The moves that a Pokémon learns in one group of games: the latest group with moves by level, or else the latest group.
-- Moves by level come first.
-- $1 languages text[], $2 Pokémon
WITH learned AS MATERIALIZED (
  SELECT pokeapi.link_id(m.value->'move') AS id, pokeapi.link_name(m.value->'move') AS slug,
         pokeapi.link_id(d.value->'version_group') AS version_group_id,
         pokeapi.link_name(d.value->'move_learn_method') AS method, pokeapi.whole(d.value->'level_learned_at') AS level
  FROM pokeapi.parts('pokemon', ARRAY[$2::bigint], 'moves') AS m,
       jsonb_array_elements(pokeapi.list(m.value->'version_group_details')) AS d (value)
), games AS (
  SELECT g.id, g.name FROM pokeapi.version_group g
  JOIN (
    SELECT version_group_id, bool_or(method = 'level-up') AS has_levels FROM learned GROUP BY version_group_id
  ) l ON l.version_group_id = g.id
  ORDER BY l.has_levels DESC NULLS LAST, g."order" DESC NULLS LAST, g.id DESC LIMIT 1
)
SELECT l.id, coalesce(n.name, l.slug) AS name, l.slug, l.method, l.level, m.type, coalesce(t.name, m.type) AS type_name,
       m.damage_class, coalesce(c.name, m.damage_class) AS damage_class_name, m.power, m.accuracy,
       pokeapi.words(games.name) AS games
FROM games
JOIN learned l ON l.version_group_id = games.id
LEFT JOIN pokeapi.move m ON m.id = l.id
LEFT JOIN LATERAL (
  SELECT name FROM pokeapi.name WHERE endpoint = 'move' AND id = l.id
  ORDER BY array_position($1::text[], language), language_id, language LIMIT 1
) n ON true
LEFT JOIN pokeapi.best_name($1) t ON t.endpoint = 'type' AND t.id = m.type_id
LEFT JOIN pokeapi.best_name($1) c ON c.endpoint = 'move-damage-class' AND c.id = m.damage_class_id
ORDER BY l.method <> 'level-up', l.method, l.level, sync.lower(coalesce(n.name, l.slug)), l.id
