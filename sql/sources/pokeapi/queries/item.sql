-- All data of an item, with its price in the latest games and each Pokémon's highest rarity. Lists are JSON.
-- $1 languages text[], $2 item
SELECT i.id, coalesce(n.name, i.name) AS name, n.language, i.name AS slug, i.category,
       coalesce(c.name, i.category) AS category_name, p.purchase_price AS cost, p.sell_price, p.currency,
       p.version_group AS price_version_group, i.fling_power, i.fling_effect, x.short_effect, x.effect,
       x.effect_language, x.description, x.description_language, x.description_version_group, i.sprite_url,
       (
         SELECT coalesce(json_agg(json_build_object(
           'id', l.id, 'slug', l.slug, 'name', coalesce(e.name, l.slug), 'rarity', l.rarity) ORDER BY l.id), '[]')
         FROM jsonb_array_elements(pokeapi.list(r.raw->'held_by_pokemon')) AS v (value), LATERAL (
           SELECT pokeapi.link_id(v.value->'pokemon'), pokeapi.link_name(v.value->'pokemon'),
                  (SELECT max(pokeapi.whole(g.value->'rarity'))
                   FROM jsonb_array_elements(pokeapi.list(v.value->'version_details')) AS g (value))
         ) AS l (id, slug, rarity)
         LEFT JOIN pokeapi.entry($1) e ON e.id = l.id
       ) AS held_by
FROM pokeapi.item i JOIN pokeapi.resource r ON r.endpoint = 'item' AND r.id = i.id
LEFT JOIN pokeapi.best_name($1) n ON n.endpoint = 'item' AND n.id = i.id
LEFT JOIN pokeapi.best_name($1) c ON c.endpoint = 'item-category' AND c.id = i.category_id
LEFT JOIN LATERAL (
  SELECT p.purchase_price, p.sell_price, p.currency, p.version_group
  FROM pokeapi.item_price p LEFT JOIN pokeapi.version_group g ON g.id = p.version_group_id
  WHERE p.item_id = i.id ORDER BY g."order" DESC NULLS LAST, p.version_group_id DESC, p.currency_id LIMIT 1
) p ON true
CROSS JOIN pokeapi.texts(r.endpoint, r.id, r.raw, $1) x
WHERE i.id = $2
