-- PostgreSQL replaces a call by the query. sql/citus.sql replaces the function.
CREATE OR REPLACE FUNCTION pokeapi.owned() RETURNS SETOF bigint
LANGUAGE sql STABLE
AS $$ SELECT id FROM app.favorite WHERE collection = 'owned' AND source = 'pokeapi' AND kind = 'pokemon' $$;
COMMENT ON FUNCTION pokeapi.owned IS 'Ids of the Pokémon in the collection owned.';

CREATE OR REPLACE VIEW pokeapi.pokedex AS
SELECT p.id, p.species_id, p.name, p.species, p.id > 10000 AS is_form, s.generation_id,
       coalesce(t.types, '{}') AS types,
       b.hp, b.attack, b.defense, b.special_attack, b.special_defense, b.speed, p.total,
       s.is_legendary, s.is_mythical, s.is_baby, o.id IS NOT NULL AS owned
FROM pokeapi.pokemon p
LEFT JOIN pokeapi.species s ON s.id = p.species_id
LEFT JOIN (
  SELECT pokemon_id, array_agg(type ORDER BY slot) AS types FROM pokeapi.pokemon_type GROUP BY pokemon_id
) t ON t.pokemon_id = p.id
LEFT JOIN (
  SELECT pokemon_id, max(base_stat) FILTER (WHERE stat = 'hp') AS hp,
         max(base_stat) FILTER (WHERE stat = 'attack') AS attack,
         max(base_stat) FILTER (WHERE stat = 'defense') AS defense,
         max(base_stat) FILTER (WHERE stat = 'special-attack') AS special_attack,
         max(base_stat) FILTER (WHERE stat = 'special-defense') AS special_defense,
         max(base_stat) FILTER (WHERE stat = 'speed') AS speed
  FROM pokeapi.pokemon_stat GROUP BY pokemon_id
) b ON b.pokemon_id = p.id
LEFT JOIN pokeapi.owned() AS o (id) ON o.id = p.id
WHERE NOT EXISTS (
  SELECT FROM pokeapi.resource r WHERE r.endpoint = 'pokemon' AND r.id = p.id AND r.vanished_at IS NOT NULL);
COMMENT ON VIEW   pokeapi.pokedex IS 'Pokémon for listings, forms included, without those that have vanished upstream.';
COMMENT ON COLUMN pokeapi.pokedex.id IS 'Id of the Pokémon; up to 10000 the number in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex.species_id IS 'Number in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex.name IS 'Name in links, e.g. pikachu or meowth-alola.';
COMMENT ON COLUMN pokeapi.pokedex.species IS 'Name of the species in links.';
COMMENT ON COLUMN pokeapi.pokedex.is_form IS 'Whether it is another form than the one in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex.generation_id IS 'Generation of the species, which may be earlier than that of the form.';
COMMENT ON COLUMN pokeapi.pokedex.types IS 'Names of its types, the first one first.';
COMMENT ON COLUMN pokeapi.pokedex.hp IS 'Base HP.';
COMMENT ON COLUMN pokeapi.pokedex.attack IS 'Base attack.';
COMMENT ON COLUMN pokeapi.pokedex.defense IS 'Base defense.';
COMMENT ON COLUMN pokeapi.pokedex.special_attack IS 'Base special attack.';
COMMENT ON COLUMN pokeapi.pokedex.special_defense IS 'Base special defense.';
COMMENT ON COLUMN pokeapi.pokedex.speed IS 'Base speed.';
COMMENT ON COLUMN pokeapi.pokedex.total IS 'Sum of the six base stats.';
COMMENT ON COLUMN pokeapi.pokedex.is_legendary IS 'Whether the species is legendary.';
COMMENT ON COLUMN pokeapi.pokedex.is_mythical IS 'Whether the species is mythical.';
COMMENT ON COLUMN pokeapi.pokedex.is_baby IS 'Whether the species is a baby Pokémon.';
COMMENT ON COLUMN pokeapi.pokedex.owned IS 'Whether it is in the collection owned: syncctl favorites add --collection owned.';
