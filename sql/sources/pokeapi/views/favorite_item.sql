-- The title of a Pokémon is the name of its species. For another form (id above 10000), it is the name of the form.

CREATE OR REPLACE VIEW pokeapi.favorite_item AS
SELECT r.endpoint AS kind, r.id, coalesce(en.name, r.name) AS title, ja.name AS title_japanese,
       (SELECT string_agg(t.type, ', ' ORDER BY t.slot) FROM pokeapi.pokemon_type t WHERE t.pokemon_id = p.id) AS type,
       NULL::numeric AS score, NULL::text AS url,
       CASE WHEN r.vanished_at IS NULL THEN 'mirrored' ELSE 'vanished' END AS state, NULL::integer AS rank
FROM pokeapi.resource r
LEFT JOIN pokeapi.pokemon p ON r.endpoint = 'pokemon' AND p.id = r.id
LEFT JOIN LATERAL (
  SELECT 'pokemon-form' AS endpoint, (
    -- The same choice as in pokeapi.main_form.
    SELECT f.id FROM pokeapi.pokemon_form f WHERE f.pokemon_id = p.id
    ORDER BY f.is_default DESC NULLS LAST, f.id LIMIT 1
  ) AS id
  WHERE p.id > 10000
  UNION ALL SELECT 'pokemon-species', p.species_id WHERE p.id <= 10000
  UNION ALL SELECT r.endpoint, r.id WHERE p.id IS NULL
) named ON true
LEFT JOIN pokeapi.name en ON en.endpoint = named.endpoint AND en.id = named.id AND en.language = 'en'
LEFT JOIN pokeapi.name ja ON ja.endpoint = named.endpoint AND ja.id = named.id AND ja.language = 'ja';
COMMENT ON VIEW   pokeapi.favorite_item IS 'This source''s items that can be favorites. app.favorite_item contains the items of all sources.';
COMMENT ON COLUMN pokeapi.favorite_item.kind IS 'Endpoint of the upstream, e.g. pokemon.';
COMMENT ON COLUMN pokeapi.favorite_item.id IS 'The upstream''s id within the endpoint.';
COMMENT ON COLUMN pokeapi.favorite_item.title IS 'Title.';
COMMENT ON COLUMN pokeapi.favorite_item.title_japanese IS 'Title in Japanese; null if there is none.';
COMMENT ON COLUMN pokeapi.favorite_item.type IS 'Types of a Pokémon, the first one first; null for anything else.';
COMMENT ON COLUMN pokeapi.favorite_item.score IS 'Always null: there are no scores.';
COMMENT ON COLUMN pokeapi.favorite_item.url IS 'Always null, because PokeAPI names no web pages.';
COMMENT ON COLUMN pokeapi.favorite_item.state IS 'mirrored; vanished: removed upstream.';
COMMENT ON COLUMN pokeapi.favorite_item.rank IS 'Always null: there are no ranks.';
