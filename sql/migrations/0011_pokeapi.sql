-- The PokeAPI mirror: every document of every endpoint, and tables of what people ask for, derived from the documents
-- in the transaction that stores them. Derivation never fails: what is missing, null or of another type than expected
-- gives nulls or no rows. There are no foreign keys, because the documents come in any order.

CREATE SCHEMA pokeapi;
COMMENT ON SCHEMA pokeapi IS 'Mirror of PokeAPI v2. Begin with the view pokeapi.pokedex and the function pokeapi.matchup; pokeapi.resource holds every document.';

CREATE TABLE pokeapi.resource (
  endpoint      text NOT NULL,
  id            bigint NOT NULL,
  name          text,
  raw           jsonb COMPRESSION lz4 NOT NULL,
  content_hash  bytea NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  vanished_at   timestamptz,
  PRIMARY KEY (endpoint, id)
);
-- So that lists leave the few vanished ones out without reading the others.
CREATE INDEX resource_vanished ON pokeapi.resource (endpoint, id) WHERE vanished_at IS NOT NULL;
COMMENT ON TABLE  pokeapi.resource IS 'Every document of every endpoint as it came. The other tables of the schema are derived from it.';
COMMENT ON COLUMN pokeapi.resource.endpoint IS 'Endpoint of the upstream, e.g. pokemon; pokemon-encounters for the lists of where a Pokémon is met.';
COMMENT ON COLUMN pokeapi.resource.id IS 'The upstream''s id within the endpoint, which may be 0 or -1; of a list of encounters that of the Pokémon.';
COMMENT ON COLUMN pokeapi.resource.name IS 'Name in links and addresses; not unique (two items are called roseli-berry), and null in endpoints without names.';
COMMENT ON COLUMN pokeapi.resource.raw IS 'The whole document as it came; its links may be absolute or relative.';
COMMENT ON COLUMN pokeapi.resource.content_hash IS 'SHA-256 of the document''s canonical form, in which the order of arrays does not count, and of the version of the mapping (last byte).';
COMMENT ON COLUMN pokeapi.resource.first_seen_at IS 'When the mirror first stored it.';
COMMENT ON COLUMN pokeapi.resource.changed_at IS 'When it last changed, vanished or came back.';
COMMENT ON COLUMN pokeapi.resource.vanished_at IS 'When it was found to be gone upstream; null while it is there. What was derived from it stays.';

CREATE TABLE pokeapi.name (
  endpoint    text NOT NULL,
  id          bigint NOT NULL,
  language    text NOT NULL,
  language_id bigint,
  name        text NOT NULL,
  PRIMARY KEY (endpoint, id, language)
);
COMMENT ON TABLE  pokeapi.name IS 'Names in the languages of the games, of every document that has names.';
COMMENT ON COLUMN pokeapi.name.endpoint IS 'Endpoint of the document; of a Pokémon pokemon-species, of one of its forms pokemon-form.';
COMMENT ON COLUMN pokeapi.name.id IS 'Id of the document.';
COMMENT ON COLUMN pokeapi.name.language IS 'Language as the upstream writes it, e.g. en, ja, ja-hrkt, zh-hant.';
COMMENT ON COLUMN pokeapi.name.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.name.name IS 'Name in that language.';

CREATE TABLE pokeapi.effect (
  endpoint     text NOT NULL,
  id           bigint NOT NULL,
  language     text NOT NULL,
  language_id  bigint,
  short_effect text,
  effect       text,
  PRIMARY KEY (endpoint, id, language)
);
COMMENT ON TABLE  pokeapi.effect IS 'What moves, abilities and items do, in the languages that the upstream has.';
COMMENT ON COLUMN pokeapi.effect.endpoint IS 'move, ability or item.';
COMMENT ON COLUMN pokeapi.effect.id IS 'Id of the document.';
COMMENT ON COLUMN pokeapi.effect.language IS 'Language, mostly en.';
COMMENT ON COLUMN pokeapi.effect.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.effect.short_effect IS 'In a sentence. $effect_chance stands for the column of that name.';
COMMENT ON COLUMN pokeapi.effect.effect IS 'At length, with line breaks.';

CREATE TABLE pokeapi.language (
  id       bigint NOT NULL,
  name     text,
  iso639   text,
  iso3166  text,
  official boolean,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.language IS 'Languages of the texts.';
COMMENT ON COLUMN pokeapi.language.id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.language.name IS 'As the other tables write it, e.g. zh-hant.';
COMMENT ON COLUMN pokeapi.language.iso639 IS 'Two letters of the language, e.g. zh.';
COMMENT ON COLUMN pokeapi.language.iso3166 IS 'Two letters of a country, e.g. tw.';
COMMENT ON COLUMN pokeapi.language.official IS 'Whether games are published in it.';

CREATE TABLE pokeapi.version (
  id               bigint NOT NULL,
  name             text,
  version_group_id bigint,
  version_group    text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.version IS 'Games.';
COMMENT ON COLUMN pokeapi.version.id IS 'Id of the game; not in the order of publication.';
COMMENT ON COLUMN pokeapi.version.name IS 'E.g. red.';
COMMENT ON COLUMN pokeapi.version.version_group_id IS 'Id of the games that were published together.';
COMMENT ON COLUMN pokeapi.version.version_group IS 'Name of the games that were published together in links and addresses.';

CREATE TABLE pokeapi.version_group (
  id            bigint NOT NULL,
  name          text,
  "order"       integer,
  generation_id bigint,
  generation    text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.version_group IS 'Games that were published together.';
COMMENT ON COLUMN pokeapi.version_group.id IS 'Id of the group; not in the order of publication.';
COMMENT ON COLUMN pokeapi.version_group.name IS 'E.g. red-blue.';
COMMENT ON COLUMN pokeapi.version_group."order" IS 'Order of publication.';
COMMENT ON COLUMN pokeapi.version_group.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.version_group.generation IS 'Its name in links, e.g. generation-i.';

CREATE TABLE pokeapi.pokemon (
  id                 bigint NOT NULL,
  name               text,
  species_id         bigint,
  species            text,
  is_default         boolean,
  height             integer,
  weight             integer,
  base_experience    integer,
  "order"            integer,
  total              integer,
  sprite_url         text,
  sprite_female_url  text,
  artwork_url        text,
  artwork_female_url text,
  cry_url            text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.pokemon IS 'Pokémon and their forms of other stats, types or abilities: what a battle knows. Species are in pokeapi.species.';
COMMENT ON COLUMN pokeapi.pokemon.id IS '1 to 1025 are the National Pokédex; forms begin at 10001.';
COMMENT ON COLUMN pokeapi.pokemon.name IS 'Name in links, e.g. pikachu or meowth-alola.';
COMMENT ON COLUMN pokeapi.pokemon.species_id IS 'Id of the species.';
COMMENT ON COLUMN pokeapi.pokemon.species IS 'Name of the species in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon.is_default IS 'Whether it is the form by which the species is shown.';
COMMENT ON COLUMN pokeapi.pokemon.height IS 'In decimetres.';
COMMENT ON COLUMN pokeapi.pokemon.weight IS 'In hectograms.';
COMMENT ON COLUMN pokeapi.pokemon.base_experience IS 'Experience for defeating it; null if unknown.';
COMMENT ON COLUMN pokeapi.pokemon."order" IS 'Order in which families stand together; -1 if there is none.';
COMMENT ON COLUMN pokeapi.pokemon.total IS 'Sum of the six base stats.';
COMMENT ON COLUMN pokeapi.pokemon.sprite_url IS 'Small picture.';
COMMENT ON COLUMN pokeapi.pokemon.sprite_female_url IS 'Small picture of a female; null if she looks the same.';
COMMENT ON COLUMN pokeapi.pokemon.artwork_url IS 'Large picture.';
COMMENT ON COLUMN pokeapi.pokemon.artwork_female_url IS 'Large picture of a female, of another series than artwork_url; null if she looks the same.';
COMMENT ON COLUMN pokeapi.pokemon.cry_url IS 'Its cry, as sound.';

CREATE TABLE pokeapi.pokemon_type (
  pokemon_id bigint NOT NULL,
  slot       integer NOT NULL,
  type_id    bigint,
  type       text,
  PRIMARY KEY (pokemon_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_type IS 'Types of Pokémon today.';
COMMENT ON COLUMN pokeapi.pokemon_type.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_type.slot IS '1 or 2.';
COMMENT ON COLUMN pokeapi.pokemon_type.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.pokemon_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.pokemon_past_type (
  pokemon_id    bigint NOT NULL,
  generation_id bigint NOT NULL,
  slot          integer NOT NULL,
  type_id       bigint,
  type          text,
  PRIMARY KEY (pokemon_id, generation_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_past_type IS 'Types that Pokémon had in earlier generations.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.generation_id IS 'Last generation in which it had them.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.slot IS '1 or 2.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.pokemon_past_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.pokemon_stat (
  pokemon_id bigint NOT NULL,
  stat_id    bigint NOT NULL,
  stat       text,
  base_stat  integer,
  effort     integer,
  PRIMARY KEY (pokemon_id, stat_id)
);
COMMENT ON TABLE  pokeapi.pokemon_stat IS 'Base stats of Pokémon today.';
COMMENT ON COLUMN pokeapi.pokemon_stat.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_stat.stat_id IS 'Id of the stat: 1 to 6 in the usual order.';
COMMENT ON COLUMN pokeapi.pokemon_stat.stat IS 'hp, attack, defense, special-attack, special-defense or speed.';
COMMENT ON COLUMN pokeapi.pokemon_stat.base_stat IS 'The base stat.';
COMMENT ON COLUMN pokeapi.pokemon_stat.effort IS 'Effort points for defeating it.';

CREATE TABLE pokeapi.pokemon_past_stat (
  pokemon_id    bigint NOT NULL,
  generation_id bigint NOT NULL,
  stat_id       bigint NOT NULL,
  stat          text,
  base_stat     integer,
  effort        integer,
  PRIMARY KEY (pokemon_id, generation_id, stat_id)
);
COMMENT ON TABLE  pokeapi.pokemon_past_stat IS 'Base stats that Pokémon had in earlier generations, where they were others.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.generation_id IS 'Last generation in which it had it.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.stat_id IS 'Id of the stat; 9 is the special of the first generation.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.stat IS 'Name of the stat.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.base_stat IS 'The base stat.';
COMMENT ON COLUMN pokeapi.pokemon_past_stat.effort IS 'Effort points for defeating it.';

CREATE TABLE pokeapi.pokemon_ability (
  pokemon_id bigint NOT NULL,
  slot       integer NOT NULL,
  ability_id bigint,
  ability    text,
  is_hidden  boolean,
  PRIMARY KEY (pokemon_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_ability IS 'Abilities of Pokémon today.';
COMMENT ON COLUMN pokeapi.pokemon_ability.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_ability.slot IS '1, 2, or 3 for the hidden one.';
COMMENT ON COLUMN pokeapi.pokemon_ability.ability_id IS 'Id of the ability.';
COMMENT ON COLUMN pokeapi.pokemon_ability.ability IS 'Name of the ability in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon_ability.is_hidden IS 'Whether it is the hidden ability.';

CREATE TABLE pokeapi.pokemon_form (
  id               bigint NOT NULL,
  name             text,
  form_name        text,
  pokemon_id       bigint,
  pokemon          text,
  version_group_id bigint,
  version_group    text,
  "order"          integer,
  form_order       integer,
  is_default       boolean,
  is_battle_only   boolean,
  is_mega          boolean,
  sprite_url       text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.pokemon_form IS 'Every form of every Pokémon, those that differ in looks alone included.';
COMMENT ON COLUMN pokeapi.pokemon_form.id IS 'Id of the form.';
COMMENT ON COLUMN pokeapi.pokemon_form.name IS 'Name in links, e.g. unown-b.';
COMMENT ON COLUMN pokeapi.pokemon_form.form_name IS 'What tells it apart within the Pokémon, e.g. b; empty for the usual form.';
COMMENT ON COLUMN pokeapi.pokemon_form.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_form.pokemon IS 'Name of the Pokémon in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon_form.version_group_id IS 'Id of the games in which it came.';
COMMENT ON COLUMN pokeapi.pokemon_form.version_group IS 'Name of the games in which it came in links and addresses.';
COMMENT ON COLUMN pokeapi.pokemon_form."order" IS 'Order among all forms.';
COMMENT ON COLUMN pokeapi.pokemon_form.form_order IS 'Order among the forms of the species.';
COMMENT ON COLUMN pokeapi.pokemon_form.is_default IS 'Whether it is the usual form of the Pokémon.';
COMMENT ON COLUMN pokeapi.pokemon_form.is_battle_only IS 'Whether it lasts for a battle only.';
COMMENT ON COLUMN pokeapi.pokemon_form.is_mega IS 'Whether it is a mega evolution.';
COMMENT ON COLUMN pokeapi.pokemon_form.sprite_url IS 'Small picture.';

CREATE TABLE pokeapi.pokemon_form_type (
  form_id bigint NOT NULL,
  slot    integer NOT NULL,
  type_id bigint,
  type    text,
  PRIMARY KEY (form_id, slot)
);
COMMENT ON TABLE  pokeapi.pokemon_form_type IS 'Types of forms.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.form_id IS 'Id of the form.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.slot IS '1 or 2.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.pokemon_form_type.type IS 'Name of the type in links and addresses.';

CREATE TABLE pokeapi.species (
  id                      bigint NOT NULL,
  name                    text,
  "order"                 integer,
  generation_id           bigint,
  generation              text,
  is_baby                 boolean,
  is_legendary            boolean,
  is_mythical             boolean,
  has_gender_differences  boolean,
  forms_switchable        boolean,
  color_id                bigint,
  color                   text,
  shape_id                bigint,
  shape                   text,
  habitat_id              bigint,
  habitat                 text,
  growth_rate_id          bigint,
  growth_rate             text,
  capture_rate            integer,
  base_happiness          integer,
  gender_rate             integer,
  hatch_counter           integer,
  evolves_from_species_id bigint,
  evolves_from_species    text,
  evolution_chain_id      bigint,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.species IS 'Species: what the Pokédex numbers.';
COMMENT ON COLUMN pokeapi.species.id IS 'Number in the National Pokédex.';
COMMENT ON COLUMN pokeapi.species.name IS 'Name in links, e.g. pikachu.';
COMMENT ON COLUMN pokeapi.species."order" IS 'Order in which families stand together.';
COMMENT ON COLUMN pokeapi.species.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.species.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.species.is_baby IS 'Whether it is a baby Pokémon.';
COMMENT ON COLUMN pokeapi.species.is_legendary IS 'Whether it is legendary.';
COMMENT ON COLUMN pokeapi.species.is_mythical IS 'Whether it is mythical.';
COMMENT ON COLUMN pokeapi.species.has_gender_differences IS 'Whether females look different.';
COMMENT ON COLUMN pokeapi.species.forms_switchable IS 'Whether it can change its form.';
COMMENT ON COLUMN pokeapi.species.color_id IS 'Id of the color.';
COMMENT ON COLUMN pokeapi.species.color IS 'Name of the color in links and addresses.';
COMMENT ON COLUMN pokeapi.species.shape_id IS 'Id of the shape.';
COMMENT ON COLUMN pokeapi.species.shape IS 'Name of the shape in links and addresses.';
COMMENT ON COLUMN pokeapi.species.habitat_id IS 'Id of the habitat; null since the fourth generation.';
COMMENT ON COLUMN pokeapi.species.habitat IS 'Name of the habitat; null since the fourth generation in links and addresses.';
COMMENT ON COLUMN pokeapi.species.growth_rate_id IS 'Id of the growth rate.';
COMMENT ON COLUMN pokeapi.species.growth_rate IS 'Name of the growth rate in links and addresses.';
COMMENT ON COLUMN pokeapi.species.capture_rate IS 'How easily it is caught, to 255.';
COMMENT ON COLUMN pokeapi.species.base_happiness IS 'Friendship when it is caught, to 255.';
COMMENT ON COLUMN pokeapi.species.gender_rate IS 'Chance of a female in eighths; -1 without gender.';
COMMENT ON COLUMN pokeapi.species.hatch_counter IS 'Cycles until its egg hatches.';
COMMENT ON COLUMN pokeapi.species.evolves_from_species_id IS 'Id of the species it evolves from; null if it is the first of its family.';
COMMENT ON COLUMN pokeapi.species.evolves_from_species IS 'Name of the species it evolves from; null if it is the first of its family in links and addresses.';
COMMENT ON COLUMN pokeapi.species.evolution_chain_id IS 'Family, as in pokeapi.evolution.';

CREATE TABLE pokeapi.species_egg_group (
  species_id   bigint NOT NULL,
  egg_group_id bigint NOT NULL,
  egg_group    text,
  PRIMARY KEY (species_id, egg_group_id)
);
COMMENT ON TABLE  pokeapi.species_egg_group IS 'Egg groups of species.';
COMMENT ON COLUMN pokeapi.species_egg_group.species_id IS 'Number of the species.';
COMMENT ON COLUMN pokeapi.species_egg_group.egg_group_id IS 'Id of the egg group.';
COMMENT ON COLUMN pokeapi.species_egg_group.egg_group IS 'Name of the egg group in links.';

CREATE TABLE pokeapi.species_text (
  species_id  bigint NOT NULL,
  language    text NOT NULL,
  language_id bigint,
  version_id  bigint NOT NULL,
  version     text,
  text        text NOT NULL,
  PRIMARY KEY (species_id, language, version_id)
);
COMMENT ON TABLE  pokeapi.species_text IS 'Texts of the Pokédex per game and language, without the line and page breaks of the games'' windows.';
COMMENT ON COLUMN pokeapi.species_text.species_id IS 'Number of the species.';
COMMENT ON COLUMN pokeapi.species_text.language IS 'Language as in pokeapi.name.';
COMMENT ON COLUMN pokeapi.species_text.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.species_text.version_id IS 'Id of the game; see pokeapi.version.';
COMMENT ON COLUMN pokeapi.species_text.version IS 'Name of the game.';
COMMENT ON COLUMN pokeapi.species_text.text IS 'The text. In Chinese the lines are joined without a space, in Japanese with an ideographic one.';

CREATE TABLE pokeapi.species_genus (
  species_id  bigint NOT NULL,
  language    text NOT NULL,
  language_id bigint,
  genus       text NOT NULL,
  PRIMARY KEY (species_id, language)
);
COMMENT ON TABLE  pokeapi.species_genus IS 'What kind of Pokémon a species is said to be, per language.';
COMMENT ON COLUMN pokeapi.species_genus.species_id IS 'Number of the species.';
COMMENT ON COLUMN pokeapi.species_genus.language IS 'Language as in pokeapi.name.';
COMMENT ON COLUMN pokeapi.species_genus.language_id IS 'Id of the language.';
COMMENT ON COLUMN pokeapi.species_genus.genus IS 'E.g. Mouse Pokémon.';

CREATE TABLE pokeapi.pokedex_number (
  species_id   bigint NOT NULL,
  pokedex_id   bigint NOT NULL,
  pokedex      text,
  entry_number integer,
  PRIMARY KEY (species_id, pokedex_id)
);
COMMENT ON TABLE  pokeapi.pokedex_number IS 'Numbers of species in the Pokédexes.';
COMMENT ON COLUMN pokeapi.pokedex_number.species_id IS 'Number of the species in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex_number.pokedex_id IS 'Id of the Pokédex; 1 is the national one.';
COMMENT ON COLUMN pokeapi.pokedex_number.pokedex IS 'Name of the Pokédex in links.';
COMMENT ON COLUMN pokeapi.pokedex_number.entry_number IS 'Number in that Pokédex.';

CREATE TABLE pokeapi.evolution_chain (
  id                   bigint NOT NULL,
  species_id           bigint,
  species              text,
  baby_trigger_item_id bigint,
  baby_trigger_item    text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.evolution_chain IS 'Families: the species that each begins with.';
COMMENT ON COLUMN pokeapi.evolution_chain.id IS 'Id of the family.';
COMMENT ON COLUMN pokeapi.evolution_chain.species_id IS 'Id of the first species.';
COMMENT ON COLUMN pokeapi.evolution_chain.species IS 'Name of the first species in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution_chain.baby_trigger_item_id IS 'Id of the item that a parent must hold for the baby to be bred.';
COMMENT ON COLUMN pokeapi.evolution_chain.baby_trigger_item IS 'Name of the item that a parent must hold for the baby to be bred in links and addresses.';

CREATE TABLE pokeapi.evolution (
  chain_id                bigint NOT NULL,
  species_id              bigint NOT NULL,
  ordinal                 integer NOT NULL,
  species                 text,
  from_species_id         bigint,
  from_species            text,
  is_baby                 boolean,
  sentence                text NOT NULL,
  is_default              boolean,
  version_group_id        bigint,
  version_group           text,
  trigger_id              bigint,
  trigger                 text,
  item_id                 bigint,
  item                    text,
  held_item_id            bigint,
  held_item               text,
  known_move_id           bigint,
  known_move              text,
  known_move_type_id      bigint,
  known_move_type         text,
  used_move_id            bigint,
  used_move               text,
  location_id             bigint,
  location                text,
  region_id               bigint,
  region                  text,
  party_species_id        bigint,
  party_species           text,
  party_type_id           bigint,
  party_type              text,
  trade_species_id        bigint,
  trade_species           text,
  base_form_id            bigint,
  base_form               text,
  evolved_form_id         bigint,
  evolved_form            text,
  gender                  integer,
  min_level               integer,
  min_happiness           integer,
  min_affection           integer,
  min_beauty              integer,
  min_damage_taken        integer,
  min_move_count          integer,
  min_steps               integer,
  relative_physical_stats integer,
  time_of_day             text,
  near_special_rock       boolean,
  needs_multiplayer       boolean,
  needs_overworld_rain    boolean,
  turn_upside_down        boolean,
  PRIMARY KEY (chain_id, species_id, ordinal)
);
COMMENT ON TABLE  pokeapi.evolution IS 'How species evolve: a row for each way from one to the next. Conditions of a row hold together; null where there is none.';
COMMENT ON COLUMN pokeapi.evolution.chain_id IS 'Id of the family.';
COMMENT ON COLUMN pokeapi.evolution.species_id IS 'Number of the species that comes of it.';
COMMENT ON COLUMN pokeapi.evolution.ordinal IS 'Counts the ways to that species from 1, in the order of version_group_id.';
COMMENT ON COLUMN pokeapi.evolution.species IS 'Name of the species that comes of it.';
COMMENT ON COLUMN pokeapi.evolution.from_species_id IS 'Id of the species that evolves.';
COMMENT ON COLUMN pokeapi.evolution.from_species IS 'Name of the species that evolves in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.is_baby IS 'Whether the species that comes of it is a baby Pokémon.';
COMMENT ON COLUMN pokeapi.evolution.sentence IS 'Trigger and conditions in English, e.g. level up with high friendship (160), during the day.';
COMMENT ON COLUMN pokeapi.evolution.is_default IS 'Whether the upstream holds it for the usual way; more than one may be.';
COMMENT ON COLUMN pokeapi.evolution.version_group_id IS 'Id of the games that brought this way.';
COMMENT ON COLUMN pokeapi.evolution.version_group IS 'Name of the games that brought this way in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.trigger_id IS 'Id of the trigger, e.g. level-up, trade, use-item.';
COMMENT ON COLUMN pokeapi.evolution.trigger IS 'Name of the trigger, e.g. level-up, trade, use-item in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.item_id IS 'Id of the item that is used.';
COMMENT ON COLUMN pokeapi.evolution.item IS 'Name of the item that is used in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.held_item_id IS 'Id of the item that it must hold.';
COMMENT ON COLUMN pokeapi.evolution.held_item IS 'Name of the item that it must hold in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.known_move_id IS 'Id of a move that it must know.';
COMMENT ON COLUMN pokeapi.evolution.known_move IS 'Name of a move that it must know in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.known_move_type_id IS 'Id of a type of which it must know a move.';
COMMENT ON COLUMN pokeapi.evolution.known_move_type IS 'Name of a type of which it must know a move in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.used_move_id IS 'Id of a move that it must have used.';
COMMENT ON COLUMN pokeapi.evolution.used_move IS 'Name of a move that it must have used in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.location_id IS 'Id of the place where it must be.';
COMMENT ON COLUMN pokeapi.evolution.location IS 'Name of the place where it must be in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.region_id IS 'Id of the region where it must be.';
COMMENT ON COLUMN pokeapi.evolution.region IS 'Name of the region where it must be in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.party_species_id IS 'Id of a species that must be in the party.';
COMMENT ON COLUMN pokeapi.evolution.party_species IS 'Name of a species that must be in the party in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.party_type_id IS 'Id of a type that another Pokémon in the party must have.';
COMMENT ON COLUMN pokeapi.evolution.party_type IS 'Name of a type that another Pokémon in the party must have in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.trade_species_id IS 'Id of the species that it must be traded for.';
COMMENT ON COLUMN pokeapi.evolution.trade_species IS 'Name of the species that it must be traded for in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.base_form_id IS 'Id of the form of the species that evolves, as a Pokémon.';
COMMENT ON COLUMN pokeapi.evolution.base_form IS 'Name of the form of the species that evolves, as a Pokémon in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.evolved_form_id IS 'Id of the form of the species that comes of it, as a Pokémon.';
COMMENT ON COLUMN pokeapi.evolution.evolved_form IS 'Name of the form of the species that comes of it, as a Pokémon in links and addresses.';
COMMENT ON COLUMN pokeapi.evolution.gender IS '1 if it must be female, 2 if male.';
COMMENT ON COLUMN pokeapi.evolution.min_level IS 'Level that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_happiness IS 'Friendship that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_affection IS 'Affection that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_beauty IS 'Beauty that it must have reached.';
COMMENT ON COLUMN pokeapi.evolution.min_damage_taken IS 'Damage that it must have taken.';
COMMENT ON COLUMN pokeapi.evolution.min_move_count IS 'How often it must have used the move.';
COMMENT ON COLUMN pokeapi.evolution.min_steps IS 'Steps that it must have been led.';
COMMENT ON COLUMN pokeapi.evolution.relative_physical_stats IS '1 if its attack must be higher than its defense, -1 if lower, 0 if equal.';
COMMENT ON COLUMN pokeapi.evolution.time_of_day IS 'day, night, dusk, full-moon.';
COMMENT ON COLUMN pokeapi.evolution.near_special_rock IS 'Whether it must be near a special rock.';
COMMENT ON COLUMN pokeapi.evolution.needs_multiplayer IS 'Whether it takes several players.';
COMMENT ON COLUMN pokeapi.evolution.needs_overworld_rain IS 'Whether it must rain outside of battle.';
COMMENT ON COLUMN pokeapi.evolution.turn_upside_down IS 'Whether the console must be held upside down.';

CREATE TABLE pokeapi.type (
  id                   bigint NOT NULL,
  name                 text,
  generation_id        bigint,
  generation           text,
  move_damage_class_id bigint,
  move_damage_class    text,
  is_battle            boolean,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.type IS 'Types of Pokémon and moves.';
COMMENT ON COLUMN pokeapi.type.id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.type.name IS 'E.g. fire.';
COMMENT ON COLUMN pokeapi.type.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.type.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.type.move_damage_class_id IS 'Id of the class of its moves, up to the third generation.';
COMMENT ON COLUMN pokeapi.type.move_damage_class IS 'Name of the class of its moves, up to the third generation in links and addresses.';
COMMENT ON COLUMN pokeapi.type.is_battle IS 'Whether it is strong or weak against others: not stellar, unknown and shadow.';

CREATE TABLE pokeapi.type_relation (
  attacking_type_id bigint NOT NULL,
  defending_type_id bigint NOT NULL,
  generation_id     bigint NOT NULL,
  attacking_type    text,
  defending_type    text,
  multiplier        numeric NOT NULL,
  PRIMARY KEY (attacking_type_id, defending_type_id, generation_id)
);
COMMENT ON TABLE  pokeapi.type_relation IS 'What the types do to one another as their documents say it: pairs without a relation are missing. Read pokeapi.type_efficacy instead.';
COMMENT ON COLUMN pokeapi.type_relation.attacking_type_id IS 'Id of the attacking type, from whose document it is.';
COMMENT ON COLUMN pokeapi.type_relation.defending_type_id IS 'Id of the defending type.';
COMMENT ON COLUMN pokeapi.type_relation.generation_id IS 'Last generation in which it held; 0 for what holds today.';
COMMENT ON COLUMN pokeapi.type_relation.attacking_type IS 'Name of the attacking type.';
COMMENT ON COLUMN pokeapi.type_relation.defending_type IS 'Name of the defending type.';
COMMENT ON COLUMN pokeapi.type_relation.multiplier IS '2, 1, 0.5 or 0.';

CREATE TABLE pokeapi.move (
  id              bigint NOT NULL,
  name            text,
  generation_id   bigint,
  generation      text,
  type_id         bigint,
  type            text,
  damage_class_id bigint,
  damage_class    text,
  power           integer,
  accuracy        integer,
  pp              integer,
  priority        integer,
  effect_chance   integer,
  target_id       bigint,
  target          text,
  category_id     bigint,
  category        text,
  ailment_id      bigint,
  ailment         text,
  ailment_chance  integer,
  flinch_chance   integer,
  stat_chance     integer,
  crit_rate       integer,
  drain           integer,
  healing         integer,
  min_hits        integer,
  max_hits        integer,
  min_turns       integer,
  max_turns       integer,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.move IS 'Moves.';
COMMENT ON COLUMN pokeapi.move.id IS 'Id of the move.';
COMMENT ON COLUMN pokeapi.move.name IS 'E.g. thunder-shock.';
COMMENT ON COLUMN pokeapi.move.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.move.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.move.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.move.type IS 'Name of the type in links and addresses.';
COMMENT ON COLUMN pokeapi.move.damage_class_id IS 'Id of the class: physical, special or status.';
COMMENT ON COLUMN pokeapi.move.damage_class IS 'Name of the class: physical, special or status in links and addresses.';
COMMENT ON COLUMN pokeapi.move.power IS 'Power; null without one.';
COMMENT ON COLUMN pokeapi.move.accuracy IS 'Chance to hit in percent; null if it cannot miss.';
COMMENT ON COLUMN pokeapi.move.pp IS 'How often it can be used.';
COMMENT ON COLUMN pokeapi.move.priority IS 'Moves of higher priority go first.';
COMMENT ON COLUMN pokeapi.move.effect_chance IS 'Chance of the effect in percent.';
COMMENT ON COLUMN pokeapi.move.target_id IS 'Id of the targets that it can be aimed at.';
COMMENT ON COLUMN pokeapi.move.target IS 'Name of the targets that it can be aimed at in links and addresses.';
COMMENT ON COLUMN pokeapi.move.category_id IS 'Id of the category of the effect.';
COMMENT ON COLUMN pokeapi.move.category IS 'Name of the category of the effect in links and addresses.';
COMMENT ON COLUMN pokeapi.move.ailment_id IS 'Id of the ailment.';
COMMENT ON COLUMN pokeapi.move.ailment IS 'Name of the ailment in links and addresses.';
COMMENT ON COLUMN pokeapi.move.ailment_chance IS 'Chance of the ailment in percent.';
COMMENT ON COLUMN pokeapi.move.flinch_chance IS 'Chance that the target flinches, in percent.';
COMMENT ON COLUMN pokeapi.move.stat_chance IS 'Chance that stats change, in percent.';
COMMENT ON COLUMN pokeapi.move.crit_rate IS 'Bonus for critical hits.';
COMMENT ON COLUMN pokeapi.move.drain IS 'Part of the damage that is healed, in percent; negative for recoil.';
COMMENT ON COLUMN pokeapi.move.healing IS 'Part of the full HP that is healed, in percent.';
COMMENT ON COLUMN pokeapi.move.min_hits IS 'Fewest hits; null for one.';
COMMENT ON COLUMN pokeapi.move.max_hits IS 'Most hits; null for one.';
COMMENT ON COLUMN pokeapi.move.min_turns IS 'Fewest turns that the effect lasts.';
COMMENT ON COLUMN pokeapi.move.max_turns IS 'Most turns that the effect lasts.';

CREATE TABLE pokeapi.move_stat_change (
  move_id bigint NOT NULL,
  stat_id bigint NOT NULL,
  stat    text,
  change  integer,
  PRIMARY KEY (move_id, stat_id)
);
COMMENT ON TABLE  pokeapi.move_stat_change IS 'Stats that moves change.';
COMMENT ON COLUMN pokeapi.move_stat_change.move_id IS 'Id of the move.';
COMMENT ON COLUMN pokeapi.move_stat_change.stat_id IS 'Id of the stat.';
COMMENT ON COLUMN pokeapi.move_stat_change.stat IS 'Name of the stat.';
COMMENT ON COLUMN pokeapi.move_stat_change.change IS 'By how many stages.';

CREATE TABLE pokeapi.move_past_value (
  move_id          bigint NOT NULL,
  version_group_id bigint NOT NULL,
  version_group    text,
  type_id          bigint,
  type             text,
  power            integer,
  accuracy         integer,
  pp               integer,
  effect_chance    integer,
  PRIMARY KEY (move_id, version_group_id)
);
COMMENT ON TABLE  pokeapi.move_past_value IS 'Values that moves had in earlier games; null where they are as in the next later games.';
COMMENT ON COLUMN pokeapi.move_past_value.move_id IS 'Id of the move.';
COMMENT ON COLUMN pokeapi.move_past_value.version_group_id IS 'Id of the games that changed the values: they held before.';
COMMENT ON COLUMN pokeapi.move_past_value.version_group IS 'Name of these games.';
COMMENT ON COLUMN pokeapi.move_past_value.type_id IS 'Id of the type.';
COMMENT ON COLUMN pokeapi.move_past_value.type IS 'Name of the type in links and addresses.';
COMMENT ON COLUMN pokeapi.move_past_value.power IS 'Power.';
COMMENT ON COLUMN pokeapi.move_past_value.accuracy IS 'Chance to hit in percent.';
COMMENT ON COLUMN pokeapi.move_past_value.pp IS 'How often it could be used.';
COMMENT ON COLUMN pokeapi.move_past_value.effect_chance IS 'Chance of the effect in percent.';

CREATE TABLE pokeapi.ability (
  id             bigint NOT NULL,
  name           text,
  generation_id  bigint,
  generation     text,
  is_main_series boolean,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.ability IS 'Abilities.';
COMMENT ON COLUMN pokeapi.ability.id IS 'Id of the ability.';
COMMENT ON COLUMN pokeapi.ability.name IS 'E.g. static.';
COMMENT ON COLUMN pokeapi.ability.generation_id IS 'Generation in which it came, from 1.';
COMMENT ON COLUMN pokeapi.ability.generation IS 'Its name in links, e.g. generation-i.';
COMMENT ON COLUMN pokeapi.ability.is_main_series IS 'Whether it is of the main series of games.';

CREATE TABLE pokeapi.item (
  id                  bigint NOT NULL,
  name                text,
  category_id         bigint,
  category            text,
  fling_power         integer,
  fling_effect_id     bigint,
  fling_effect        text,
  baby_trigger_for_id bigint,
  sprite_url          text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.item IS 'Items.';
COMMENT ON COLUMN pokeapi.item.id IS 'Id of the item.';
COMMENT ON COLUMN pokeapi.item.name IS 'E.g. poke-ball; not unique.';
COMMENT ON COLUMN pokeapi.item.category_id IS 'Id of the category.';
COMMENT ON COLUMN pokeapi.item.category IS 'Name of the category in links and addresses.';
COMMENT ON COLUMN pokeapi.item.fling_power IS 'Power when it is flung.';
COMMENT ON COLUMN pokeapi.item.fling_effect_id IS 'Id of the effect of flinging it.';
COMMENT ON COLUMN pokeapi.item.fling_effect IS 'Name of the effect of flinging it in links and addresses.';
COMMENT ON COLUMN pokeapi.item.baby_trigger_for_id IS 'Family whose baby is bred when a parent holds it.';
COMMENT ON COLUMN pokeapi.item.sprite_url IS 'Small picture.';

CREATE TABLE pokeapi.item_price (
  item_id          bigint NOT NULL,
  version_group_id bigint NOT NULL,
  currency_id      bigint NOT NULL,
  version_group    text,
  currency         text,
  purchase_price   integer,
  sell_price       integer,
  PRIMARY KEY (item_id, version_group_id, currency_id)
);
COMMENT ON TABLE  pokeapi.item_price IS 'Prices of items per game and currency.';
COMMENT ON COLUMN pokeapi.item_price.item_id IS 'Id of the item.';
COMMENT ON COLUMN pokeapi.item_price.version_group_id IS 'Id of the games.';
COMMENT ON COLUMN pokeapi.item_price.currency_id IS 'Id of the currency.';
COMMENT ON COLUMN pokeapi.item_price.version_group IS 'Name of the games.';
COMMENT ON COLUMN pokeapi.item_price.currency IS 'Name of the currency.';
COMMENT ON COLUMN pokeapi.item_price.purchase_price IS 'For which it is bought; null if it is not on sale.';
COMMENT ON COLUMN pokeapi.item_price.sell_price IS 'For which it is sold; null if it cannot be.';

CREATE TABLE pokeapi.nature (
  id                bigint NOT NULL,
  name              text,
  increased_stat_id bigint,
  increased_stat    text,
  decreased_stat_id bigint,
  decreased_stat    text,
  likes_flavor_id   bigint,
  likes_flavor      text,
  hates_flavor_id   bigint,
  hates_flavor      text,
  PRIMARY KEY (id)
);
COMMENT ON TABLE  pokeapi.nature IS 'Natures.';
COMMENT ON COLUMN pokeapi.nature.id IS 'Id of the nature.';
COMMENT ON COLUMN pokeapi.nature.name IS 'E.g. bold.';
COMMENT ON COLUMN pokeapi.nature.increased_stat_id IS 'Id of the stat that grows faster.';
COMMENT ON COLUMN pokeapi.nature.increased_stat IS 'Name of the stat that grows faster in links and addresses.';
COMMENT ON COLUMN pokeapi.nature.decreased_stat_id IS 'Id of the stat that grows slower.';
COMMENT ON COLUMN pokeapi.nature.decreased_stat IS 'Name of the stat that grows slower in links and addresses.';
COMMENT ON COLUMN pokeapi.nature.likes_flavor_id IS 'Id of the flavor that it likes.';
COMMENT ON COLUMN pokeapi.nature.likes_flavor IS 'Name of the flavor that it likes in links and addresses.';
COMMENT ON COLUMN pokeapi.nature.hates_flavor_id IS 'Id of the flavor that it hates.';
COMMENT ON COLUMN pokeapi.nature.hates_flavor IS 'Name of the flavor that it hates in links and addresses.';

CREATE TABLE pokeapi.encounter (
  pokemon_id       bigint NOT NULL,
  location_area_id bigint NOT NULL,
  version_id       bigint NOT NULL,
  ordinal          integer NOT NULL,
  location_area    text,
  version          text,
  method_id        bigint,
  method           text,
  min_level        integer,
  max_level        integer,
  chance           integer,
  max_chance       integer,
  conditions       text[] NOT NULL,
  is_alpha         boolean,
  always_shiny     boolean,
  never_shiny      boolean,
  min_perfect_ivs  integer,
  PRIMARY KEY (pokemon_id, location_area_id, version_id, ordinal)
);
COMMENT ON TABLE  pokeapi.encounter IS 'Where and how Pokémon are met.';
COMMENT ON COLUMN pokeapi.encounter.pokemon_id IS 'Id of the Pokémon.';
COMMENT ON COLUMN pokeapi.encounter.location_area_id IS 'Id of the area.';
COMMENT ON COLUMN pokeapi.encounter.version_id IS 'Id of the game.';
COMMENT ON COLUMN pokeapi.encounter.ordinal IS 'Counts the ways in that area and game from 1.';
COMMENT ON COLUMN pokeapi.encounter.location_area IS 'Name of the area in links.';
COMMENT ON COLUMN pokeapi.encounter.version IS 'Name of the game.';
COMMENT ON COLUMN pokeapi.encounter.method_id IS 'Id of the way, e.g. walk, surf, old-rod.';
COMMENT ON COLUMN pokeapi.encounter.method IS 'Name of the way, e.g. walk, surf, old-rod in links and addresses.';
COMMENT ON COLUMN pokeapi.encounter.min_level IS 'Lowest level.';
COMMENT ON COLUMN pokeapi.encounter.max_level IS 'Highest level.';
COMMENT ON COLUMN pokeapi.encounter.chance IS 'Chance in percent.';
COMMENT ON COLUMN pokeapi.encounter.max_chance IS 'Chance of all ways in that area and game together, in percent.';
COMMENT ON COLUMN pokeapi.encounter.conditions IS 'What must hold, e.g. time-night; empty if nothing.';
COMMENT ON COLUMN pokeapi.encounter.is_alpha IS 'Whether it is an alpha Pokémon; null if it does not say.';
COMMENT ON COLUMN pokeapi.encounter.always_shiny IS 'Whether it is always shiny; null if it does not say.';
COMMENT ON COLUMN pokeapi.encounter.never_shiny IS 'Whether it is never shiny; null if it does not say.';
COMMENT ON COLUMN pokeapi.encounter.min_perfect_ivs IS 'How many perfect individual values it has at least.';

CREATE VIEW pokeapi.type_efficacy AS
SELECT a.id AS attacking_type_id, a.name AS attacking_type, d.id AS defending_type_id, d.name AS defending_type,
       coalesce(r.generation_id, 0) AS generation_id, coalesce(r.multiplier, 1) AS multiplier
FROM pokeapi.type a
CROSS JOIN pokeapi.type d
LEFT JOIN pokeapi.type_relation r ON r.attacking_type_id = a.id AND r.defending_type_id = d.id
WHERE a.is_battle AND d.is_battle;
COMMENT ON VIEW   pokeapi.type_efficacy IS 'What an attack of one type does to another, for every two types: today''s row, and one for each past time in which the attacking type did otherwise. pokeapi.matchup and pokeapi.attack read it.';
COMMENT ON COLUMN pokeapi.type_efficacy.attacking_type_id IS 'Id of the attacking type.';
COMMENT ON COLUMN pokeapi.type_efficacy.attacking_type IS 'Name of the attacking type.';
COMMENT ON COLUMN pokeapi.type_efficacy.defending_type_id IS 'Id of the defending type.';
COMMENT ON COLUMN pokeapi.type_efficacy.defending_type IS 'Name of the defending type.';
COMMENT ON COLUMN pokeapi.type_efficacy.generation_id IS 'Last generation in which it held; 0 for what holds today.';
COMMENT ON COLUMN pokeapi.type_efficacy.multiplier IS '2, 1, 0.5 or 0.';

CREATE AGGREGATE pokeapi.product(numeric) (SFUNC = pg_catalog.numeric_mul, STYPE = numeric, INITCOND = '1');
COMMENT ON AGGREGATE pokeapi.product(numeric) IS 'Product of all values; 1 of none.';

CREATE FUNCTION pokeapi.efficacy(generation integer DEFAULT NULL)
RETURNS TABLE (attacking_type text, defending_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- The earliest past that lasted until that generation; today's where there is none.
  SELECT DISTINCT ON (e.attacking_type_id, e.defending_type_id) e.attacking_type, e.defending_type, e.multiplier
  FROM pokeapi.type_efficacy e
  JOIN pokeapi.type a ON a.id = e.attacking_type_id
  JOIN pokeapi.type d ON d.id = e.defending_type_id
  WHERE (e.generation_id = 0 OR e.generation_id >= efficacy.generation)
    AND (efficacy.generation IS NULL OR greatest(a.generation_id, d.generation_id, 1) <= efficacy.generation)
  ORDER BY e.attacking_type_id, e.defending_type_id, e.generation_id = 0, e.generation_id;
END;
COMMENT ON FUNCTION pokeapi.efficacy IS 'What attacks of each type do to each type, today or in a generation, among the types that it had.';

CREATE FUNCTION pokeapi.matchup(defending text[], generation integer DEFAULT NULL)
RETURNS TABLE (attacking_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT e.attacking_type, trim_scale(pokeapi.product(e.multiplier)) AS multiplier
  FROM pokeapi.efficacy(generation) e
  WHERE e.defending_type = ANY (defending)
  GROUP BY e.attacking_type
  HAVING count(*) = (SELECT count(DISTINCT name) FROM unnest(defending) AS name)
  ORDER BY multiplier DESC, e.attacking_type;
END;
COMMENT ON FUNCTION pokeapi.matchup(text[], integer) IS 'What attacks of each type do to a Pokémon of these types, today or in a generation. No rows if there is, or was, no such type.';

CREATE FUNCTION pokeapi.matchup(type1 text, type2 text DEFAULT NULL, generation integer DEFAULT NULL)
RETURNS TABLE (attacking_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT m.attacking_type, m.multiplier FROM pokeapi.matchup(array_remove(ARRAY[type1, type2], NULL), generation) m;
END;
COMMENT ON FUNCTION pokeapi.matchup(text, text, integer) IS 'What attacks of each type do to a Pokémon of one type or two, today or in a generation. No rows if there is, or was, no such type.';

CREATE FUNCTION pokeapi.attack(attacking text, generation integer DEFAULT NULL)
RETURNS TABLE (defending_type text, multiplier numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT e.defending_type, e.multiplier FROM pokeapi.efficacy(generation) e
  WHERE e.attacking_type = attacking
  ORDER BY e.multiplier DESC, e.defending_type;
END;
COMMENT ON FUNCTION pokeapi.attack IS 'What attacks of a type do to Pokémon of each single type, today or in a generation. No rows if there is, or was, no such type.';

CREATE VIEW pokeapi.pokedex AS
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
LEFT JOIN app.favorite o
  ON o.collection = 'owned' AND o.source = 'pokeapi' AND o.kind = 'pokemon' AND o.id = p.id
WHERE NOT EXISTS (
  SELECT FROM pokeapi.resource r WHERE r.endpoint = 'pokemon' AND r.id = p.id AND r.vanished_at IS NOT NULL);
COMMENT ON VIEW   pokeapi.pokedex IS 'Pokémon for listings, forms included, without those that have vanished upstream.';
COMMENT ON COLUMN pokeapi.pokedex.id IS 'Id of the Pokémon; up to 10000 the number in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex.species_id IS 'Number in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex.name IS 'Name in links, e.g. pikachu or meowth-alola.';
COMMENT ON COLUMN pokeapi.pokedex.species IS 'Name of the species in links.';
COMMENT ON COLUMN pokeapi.pokedex.is_form IS 'Whether it is a form besides the one that stands in the National Pokédex.';
COMMENT ON COLUMN pokeapi.pokedex.generation_id IS 'Generation in which the species came, which may be before that of the form.';
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

-- Reading members whose type is not certain. All are null, or empty, where the value is not what they ask for; none
-- fails.

CREATE FUNCTION pokeapi.document(raw jsonb, without text[] DEFAULT '{}') RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(raw) = 'object' THEN raw - without ELSE '{}' END;
COMMENT ON FUNCTION pokeapi.document IS 'An object without some of its members, uncompressed, so that reading many members of it costs no more than one; {} for any other value.';

CREATE FUNCTION pokeapi.list(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[]' END;
COMMENT ON FUNCTION pokeapi.list IS 'An array as it is; [] for any other value.';

CREATE FUNCTION pokeapi.string(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN value #>> '{}' END;
COMMENT ON FUNCTION pokeapi.string IS 'A text; null for any other value.';

CREATE FUNCTION pokeapi.flag(value jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'boolean' THEN value::boolean END;
COMMENT ON FUNCTION pokeapi.flag IS 'true or false; null for any other value.';

CREATE FUNCTION pokeapi.whole(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'number' THEN
  CASE WHEN value::numeric BETWEEN -2147483648 AND 2147483647 AND value::numeric = trunc(value::numeric)
       THEN value::numeric::integer END
END;
COMMENT ON FUNCTION pokeapi.whole IS 'A whole number however it is spelled; null for 1.5, for one that is too large, and for any other value.';

CREATE FUNCTION pokeapi.link_id(link jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(link->'url') = 'string' THEN
  substring(link->>'url' from '/(-?[0-9]{1,18})/?$')::bigint
END;
COMMENT ON FUNCTION pokeapi.link_id IS 'Id that a link leads to: the last segment of its address, absolute or relative. Null for any other value.';

CREATE FUNCTION pokeapi.link_name(link jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(link->'name') = 'string' THEN left(link->>'name', 200) END;
COMMENT ON FUNCTION pokeapi.link_name IS 'Name that a link gives, short enough for an index. Null for any other value.';

CREATE FUNCTION pokeapi.bag(value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN CASE jsonb_typeof(value)
    WHEN 'array' THEN (
      SELECT coalesce(jsonb_agg(element ORDER BY element), '[]')
      FROM (SELECT pokeapi.bag(e) FROM jsonb_array_elements(value) AS e) AS sorted (element))
    WHEN 'object' THEN (
      SELECT coalesce(jsonb_object_agg(member.key, pokeapi.bag(member.value)), '{}') FROM jsonb_each(value) AS member)
    ELSE value
  END;
END $$;
COMMENT ON FUNCTION pokeapi.bag IS 'A value with the elements of all its arrays in one order, whatever order they came in: equal where only the order differs.';

CREATE FUNCTION pokeapi.words(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN initcap(replace(name, '-', ' '));
COMMENT ON FUNCTION pokeapi.words IS 'A name of links in words: Thunder Stone for thunder-stone.';

CREATE FUNCTION pokeapi.clean(value text, language text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  -- In Japanese, where lines end there is the ideographic space that parts phrases within the lines, too.
  space CONSTANT text := CASE WHEN language LIKE 'ja%' THEN U&'\3000' ELSE ' ' END;
BEGIN
  value := translate(value, E'\f\r\u000b\u0085\u2028\u2029', E'\n\n\n\n\n\n');
  -- A soft hyphen is where a word was broken, or could have been.
  value := regexp_replace(value, '\u00ad\n*', '', 'g');
  -- A hyphen at the end of a line belongs to the word, unless the word ends elsewhere: fire- and water-type.
  value := regexp_replace(value, '(\w-|—)\n+(?!(and|or|und|oder)\M)', '\1', 'g');
  -- Chinese has no spaces.
  IF language LIKE 'zh%' THEN
    value := regexp_replace(value, '([^\u0001-\u007f])\n+|\n+([^\u0001-\u007f])', '\1\2', 'g');
  END IF;
  value := translate(value, E'\n\t', space || space);
  RETURN btrim(regexp_replace(value, '([ \u3000])[ \u3000]+', '\1', 'g'), U&' \3000');
END $$;
COMMENT ON FUNCTION pokeapi.clean IS 'A text of the games without the breaks of its lines and pages: words broken by a soft hyphen are whole again, lines are joined by a space, in Chinese by nothing, in Japanese by the ideographic space that parts its phrases.';

-- Each of the following replaces what was derived from some documents. Rows are deleted and inserted in the order of
-- keys. Where a document says a thing twice, the first time counts.

CREATE FUNCTION pokeapi.derive_names(of_endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.name WHERE endpoint = of_endpoint AND id = ANY (ids);
  INSERT INTO pokeapi.name (endpoint, id, language, language_id, name)
  SELECT DISTINCT ON (r.id, l.language) of_endpoint, r.id, l.language, pokeapi.link_id(e.value->'language'), l.name
  FROM pokeapi.resource r, jsonb_array_elements(pokeapi.list(r.raw->'names')) WITH ORDINALITY AS e (value, n),
       LATERAL (SELECT pokeapi.link_name(e.value->'language'), pokeapi.string(e.value->'name')) AS l (language, name)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) AND l.language IS NOT NULL AND l.name IS NOT NULL
  ORDER BY r.id, l.language, e.n;
END $$;
COMMENT ON FUNCTION pokeapi.derive_names IS 'Replaces the names of documents of any endpoint.';

CREATE FUNCTION pokeapi.derive_effects(of_endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.effect WHERE endpoint = of_endpoint AND id = ANY (ids);
  INSERT INTO pokeapi.effect (endpoint, id, language, language_id, short_effect, effect)
  SELECT DISTINCT ON (r.id, l.language) of_endpoint, r.id, l.language, pokeapi.link_id(e.value->'language'),
         pokeapi.clean(pokeapi.string(e.value->'short_effect'), l.language), pokeapi.string(e.value->'effect')
  FROM pokeapi.resource r, jsonb_array_elements(pokeapi.list(r.raw->'effect_entries')) WITH ORDINALITY AS e (value, n),
       LATERAL (SELECT pokeapi.link_name(e.value->'language')) AS l (language)
  WHERE r.endpoint = of_endpoint AND r.id = ANY (ids) AND l.language IS NOT NULL
  ORDER BY r.id, l.language, e.n;
END $$;
COMMENT ON FUNCTION pokeapi.derive_effects IS 'Replaces the effects of moves, abilities or items.';

CREATE FUNCTION pokeapi.derive_language(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.language WHERE id = ANY (ids);
  INSERT INTO pokeapi.language (id, name, iso639, iso3166, official)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'iso639'), pokeapi.string(raw->'iso3166'),
         pokeapi.flag(raw->'official')
  FROM pokeapi.resource WHERE endpoint = 'language' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_language IS 'Replaces languages.';

CREATE FUNCTION pokeapi.derive_version(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.version WHERE id = ANY (ids);
  INSERT INTO pokeapi.version (id, name, version_group_id, version_group)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'version_group'), pokeapi.link_name(raw->'version_group')
  FROM pokeapi.resource WHERE endpoint = 'version' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_version IS 'Replaces games.';

CREATE FUNCTION pokeapi.derive_version_group(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.version_group WHERE id = ANY (ids);
  INSERT INTO pokeapi.version_group (id, name, "order", generation_id, generation)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation')
  FROM pokeapi.resource WHERE endpoint = 'version-group' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_version_group IS 'Replaces games that were published together.';

CREATE FUNCTION pokeapi.derive_pokemon(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.pokemon WHERE id = ANY (ids);
  DELETE FROM pokeapi.pokemon_type WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_past_type WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_stat WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_past_stat WHERE pokemon_id = ANY (ids);
  DELETE FROM pokeapi.pokemon_ability WHERE pokemon_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{moves,game_indices,held_items}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'pokemon' AND id = ANY (ids)
  ), types AS (
    INSERT INTO pokeapi.pokemon_type (pokemon_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  ), past_types AS (
    INSERT INTO pokeapi.pokemon_past_type (pokemon_id, generation_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.generation_id, s.slot) d.id, s.generation_id, s.slot, pokeapi.link_id(e.value->'type'),
           pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_types')) WITH ORDINALITY AS p (value, n),
         jsonb_array_elements(pokeapi.list(p.value->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(p.value->'generation'), pokeapi.whole(e.value->'slot')
         ) AS s (generation_id, slot)
    WHERE s.generation_id IS NOT NULL AND s.slot IS NOT NULL
    ORDER BY d.id, s.generation_id, s.slot, p.n, e.n
  ), stats AS (
    INSERT INTO pokeapi.pokemon_stat (pokemon_id, stat_id, stat, base_stat, effort)
    SELECT DISTINCT ON (d.id, s.stat_id) d.id, s.stat_id, pokeapi.link_name(e.value->'stat'),
           pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'stats')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'stat')) AS s (stat_id)
    WHERE s.stat_id IS NOT NULL
    ORDER BY d.id, s.stat_id, e.n
    RETURNING pokemon_id, base_stat
  ), past_stats AS (
    INSERT INTO pokeapi.pokemon_past_stat (pokemon_id, generation_id, stat_id, stat, base_stat, effort)
    SELECT DISTINCT ON (d.id, s.generation_id, s.stat_id) d.id, s.generation_id, s.stat_id,
           pokeapi.link_name(e.value->'stat'), pokeapi.whole(e.value->'base_stat'), pokeapi.whole(e.value->'effort')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_stats')) WITH ORDINALITY AS p (value, n),
         jsonb_array_elements(pokeapi.list(p.value->'stats')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(p.value->'generation'), pokeapi.link_id(e.value->'stat')
         ) AS s (generation_id, stat_id)
    WHERE s.generation_id IS NOT NULL AND s.stat_id IS NOT NULL
    ORDER BY d.id, s.generation_id, s.stat_id, p.n, e.n
  ), abilities AS (
    INSERT INTO pokeapi.pokemon_ability (pokemon_id, slot, ability_id, ability, is_hidden)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'ability'),
           pokeapi.link_name(e.value->'ability'), pokeapi.flag(e.value->'is_hidden')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'abilities')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  )
  INSERT INTO pokeapi.pokemon
    (id, name, species_id, species, is_default, height, weight, base_experience, "order", total, sprite_url,
     sprite_female_url, artwork_url, artwork_female_url, cry_url)
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'species'), pokeapi.link_name(d.raw->'species'),
         pokeapi.flag(d.raw->'is_default'), pokeapi.whole(d.raw->'height'), pokeapi.whole(d.raw->'weight'),
         pokeapi.whole(d.raw->'base_experience'), pokeapi.whole(d.raw->'order'), pokeapi.whole(to_jsonb(t.total)),
         pokeapi.string(d.raw->'sprites'->'front_default'), pokeapi.string(d.raw->'sprites'->'front_female'),
         pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_default'),
         -- The artwork knows no females yet; the pictures of the app Home do, and are as large.
         coalesce(pokeapi.string(d.raw->'sprites'->'other'->'official-artwork'->'front_female'),
                  pokeapi.string(d.raw->'sprites'->'other'->'home'->'front_female')),
         pokeapi.string(d.raw->'cries'->'latest')
  FROM doc d LEFT JOIN (SELECT pokemon_id, sum(base_stat) AS total FROM stats GROUP BY 1) t ON t.pokemon_id = d.id
  ORDER BY d.id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_pokemon IS 'Replaces Pokémon with their types, stats and abilities.';

CREATE FUNCTION pokeapi.derive_pokemon_form(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.pokemon_form WHERE id = ANY (ids);
  DELETE FROM pokeapi.pokemon_form_type WHERE form_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw) AS raw FROM pokeapi.resource WHERE endpoint = 'pokemon-form' AND id = ANY (ids)
  ), types AS (
    INSERT INTO pokeapi.pokemon_form_type (form_id, slot, type_id, type)
    SELECT DISTINCT ON (d.id, s.slot) d.id, s.slot, pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'types')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.whole(e.value->'slot')) AS s (slot)
    WHERE s.slot IS NOT NULL
    ORDER BY d.id, s.slot, e.n
  )
  INSERT INTO pokeapi.pokemon_form
    (id, name, form_name, pokemon_id, pokemon, version_group_id, version_group, "order", form_order, is_default,
     is_battle_only, is_mega, sprite_url)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.string(raw->'form_name'), pokeapi.link_id(raw->'pokemon'),
         pokeapi.link_name(raw->'pokemon'), pokeapi.link_id(raw->'version_group'),
         pokeapi.link_name(raw->'version_group'), pokeapi.whole(raw->'order'), pokeapi.whole(raw->'form_order'),
         pokeapi.flag(raw->'is_default'), pokeapi.flag(raw->'is_battle_only'), pokeapi.flag(raw->'is_mega'),
         pokeapi.string(raw->'sprites'->'front_default')
  FROM doc
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_pokemon_form IS 'Replaces forms with their types.';

CREATE FUNCTION pokeapi.derive_species(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.species WHERE id = ANY (ids);
  DELETE FROM pokeapi.species_egg_group WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.species_text WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.species_genus WHERE species_id = ANY (ids);
  DELETE FROM pokeapi.pokedex_number WHERE species_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw) AS raw FROM pokeapi.resource WHERE endpoint = 'pokemon-species' AND id = ANY (ids)
  ), egg_groups AS (
    INSERT INTO pokeapi.species_egg_group (species_id, egg_group_id, egg_group)
    SELECT DISTINCT ON (d.id, g.id) d.id, g.id, pokeapi.link_name(e.value)
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'egg_groups')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value)) AS g (id)
    WHERE g.id IS NOT NULL
    ORDER BY d.id, g.id, e.n
  ), texts AS (
    INSERT INTO pokeapi.species_text (species_id, language, language_id, version_id, version, text)
    SELECT DISTINCT ON (d.id, t.language, t.version_id) d.id, t.language, pokeapi.link_id(e.value->'language'),
           t.version_id, pokeapi.link_name(e.value->'version'), pokeapi.clean(t.text, t.language)
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'flavor_text_entries')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_name(e.value->'language'), pokeapi.link_id(e.value->'version'),
                  pokeapi.string(e.value->'flavor_text')
         ) AS t (language, version_id, text)
    WHERE t.language IS NOT NULL AND t.version_id IS NOT NULL AND t.text IS NOT NULL
    ORDER BY d.id, t.language, t.version_id, e.n
  ), genera AS (
    INSERT INTO pokeapi.species_genus (species_id, language, language_id, genus)
    SELECT DISTINCT ON (d.id, t.language) d.id, t.language, pokeapi.link_id(e.value->'language'), t.genus
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'genera')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_name(e.value->'language'), pokeapi.string(e.value->'genus')
         ) AS t (language, genus)
    WHERE t.language IS NOT NULL AND t.genus IS NOT NULL
    ORDER BY d.id, t.language, e.n
  ), numbers AS (
    INSERT INTO pokeapi.pokedex_number (species_id, pokedex_id, pokedex, entry_number)
    SELECT DISTINCT ON (d.id, p.id) d.id, p.id, pokeapi.link_name(e.value->'pokedex'),
           pokeapi.whole(e.value->'entry_number')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'pokedex_numbers')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'pokedex')) AS p (id)
    WHERE p.id IS NOT NULL
    ORDER BY d.id, p.id, e.n
  )
  INSERT INTO pokeapi.species
    (id, name, "order", generation_id, generation, is_baby, is_legendary, is_mythical, has_gender_differences,
     forms_switchable, color_id, color, shape_id, shape, habitat_id, habitat, growth_rate_id, growth_rate, capture_rate,
     base_happiness, gender_rate, hatch_counter, evolves_from_species_id, evolves_from_species, evolution_chain_id)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.whole(raw->'order'), pokeapi.link_id(raw->'generation'),
         pokeapi.link_name(raw->'generation'), pokeapi.flag(raw->'is_baby'), pokeapi.flag(raw->'is_legendary'),
         pokeapi.flag(raw->'is_mythical'), pokeapi.flag(raw->'has_gender_differences'),
         pokeapi.flag(raw->'forms_switchable'), pokeapi.link_id(raw->'color'), pokeapi.link_name(raw->'color'),
         pokeapi.link_id(raw->'shape'), pokeapi.link_name(raw->'shape'), pokeapi.link_id(raw->'habitat'),
         pokeapi.link_name(raw->'habitat'), pokeapi.link_id(raw->'growth_rate'), pokeapi.link_name(raw->'growth_rate'),
         pokeapi.whole(raw->'capture_rate'), pokeapi.whole(raw->'base_happiness'), pokeapi.whole(raw->'gender_rate'),
         pokeapi.whole(raw->'hatch_counter'), pokeapi.link_id(raw->'evolves_from_species'),
         pokeapi.link_name(raw->'evolves_from_species'), pokeapi.link_id(raw->'evolution_chain')
  FROM doc
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_species IS 'Replaces species with their egg groups, texts, genera and numbers.';

CREATE FUNCTION pokeapi.times(count integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN count IS NULL THEN '' WHEN count = 1 THEN ' once' ELSE ' ' || count || ' times' END;
COMMENT ON FUNCTION pokeapi.times IS 'How often, in English, after a space; empty if it is not said.';

CREATE FUNCTION pokeapi.evolution_sentence(way jsonb, from_species text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
  trigger  CONSTANT text := pokeapi.link_name(way->'trigger');
  item     CONSTANT text := pokeapi.words(pokeapi.link_name(way->'item'));
  move     CONSTANT text := pokeapi.words(pokeapi.link_name(way->'used_move'));
  often    CONSTANT text := pokeapi.times(pokeapi.whole(way->'min_move_count'));
  damage   CONSTANT integer := pokeapi.whole(way->'min_damage_taken');
  gender   CONSTANT integer := pokeapi.whole(way->'gender');
  physical CONSTANT integer := pokeapi.whole(way->'relative_physical_stats');
  daytime  CONSTANT text := nullif(pokeapi.string(way->'time_of_day'), '');
  form     CONSTANT text := pokeapi.link_name(way->'base_form');
  -- Conditions that the words of the trigger say already.
  is_use   CONSTANT boolean := coalesce(trigger IN ('use-move', 'agile-style-move', 'strong-style-move'), false);
  is_hurt  CONSTANT boolean := coalesce(trigger IN ('take-damage', 'recoil-damage'), false);
  what     text := CASE trigger
    WHEN 'level-up' THEN 'level up'
    WHEN 'use-item' THEN 'use ' || coalesce(item, 'an item')
    WHEN 'use-move' THEN 'use ' || coalesce(move, 'a move') || often
    WHEN 'agile-style-move' THEN 'use ' || coalesce(move, 'a move') || ' in the agile style' || often
    WHEN 'strong-style-move' THEN 'use ' || coalesce(move, 'a move') || ' in the strong style' || often
    WHEN 'shed' THEN 'be shed as another evolves, with room in the party and a Poké Ball in the bag'
    WHEN 'spin' THEN 'spin around'
    WHEN 'tower-of-darkness' THEN 'train in the Tower of Darkness'
    WHEN 'tower-of-waters' THEN 'train in the Tower of Waters'
    WHEN 'three-critical-hits' THEN 'land three critical hits in one battle'
    WHEN 'take-damage' THEN 'take ' || coalesce('at least ' || damage || ' ', '') || 'damage'
    WHEN 'recoil-damage' THEN 'lose ' || coalesce('at least ' || damage || ' ', '') || 'HP to recoil'
    WHEN 'three-defeated-bisharp' THEN 'defeat three Bisharp that hold a Leader''s Crest'
    WHEN 'gimmighoul-coins' THEN 'collect 999 Gimmighoul Coins'
    WHEN 'other' THEN 'evolve in a way of its own'
    ELSE replace(trigger, '-', ' ')
  END;
  conditions text[];
BEGIN
  conditions := array_remove(ARRAY[
    CASE WHEN trigger = 'level-up' THEN 'at level ' ELSE 'from level ' END || pokeapi.whole(way->'min_level'),
    'with high friendship (' || pokeapi.whole(way->'min_happiness') || ')',
    'with high affection (' || pokeapi.whole(way->'min_affection') || ')',
    'with high beauty (' || pokeapi.whole(way->'min_beauty') || ')',
    CASE WHEN physical > 0 THEN 'with Attack higher than Defense'
         WHEN physical < 0 THEN 'with Attack lower than Defense'
         WHEN physical = 0 THEN 'with Attack equal to Defense' END,
    CASE gender WHEN 1 THEN 'if female' WHEN 2 THEN 'if male' WHEN 3 THEN 'if without gender' END,
    CASE WHEN trigger IS DISTINCT FROM 'use-item' THEN 'with ' || item END,
    'while holding ' || pokeapi.words(pokeapi.link_name(way->'held_item')),
    'knowing ' || pokeapi.words(pokeapi.link_name(way->'known_move')),
    'knowing a ' || pokeapi.words(pokeapi.link_name(way->'known_move_type')) || '-type move',
    CASE WHEN NOT is_use AND (move IS NOT NULL OR often <> '')
         THEN 'after using ' || coalesce(move, 'a move') || often END,
    CASE WHEN NOT is_hurt THEN 'after taking at least ' || damage || ' damage' END,
    'after ' || pokeapi.whole(way->'min_steps') || ' steps',
    'at ' || pokeapi.words(pokeapi.link_name(way->'location')),
    'in ' || pokeapi.words(pokeapi.link_name(way->'region')),
    CASE WHEN pokeapi.flag(way->'near_special_rock') THEN 'near a special rock' END,
    'with ' || pokeapi.words(pokeapi.link_name(way->'party_species')) || ' in the party',
    'with another ' || pokeapi.words(pokeapi.link_name(way->'party_type')) || '-type Pokémon in the party',
    'in exchange for ' || pokeapi.words(pokeapi.link_name(way->'trade_species')),
    CASE WHEN pokeapi.flag(way->'needs_multiplayer') THEN 'in a multiplayer session' END,
    CASE WHEN pokeapi.flag(way->'needs_overworld_rain') THEN 'while it rains' END,
    CASE WHEN pokeapi.flag(way->'turn_upside_down') THEN 'with the console held upside down' END,
    CASE daytime WHEN 'day' THEN 'during the day' WHEN 'night' THEN 'at night' WHEN 'dusk' THEN 'at dusk'
      WHEN 'full-moon' THEN 'under a full moon' ELSE 'at the time ' || replace(daytime, '-', ' ') END,
    -- Of a species with one form its name says nothing new.
    CASE WHEN form IS DISTINCT FROM from_species THEN 'from ' || pokeapi.words(form) END,
    'into ' || pokeapi.words(pokeapi.link_name(way->'evolved_form'))
  ], NULL);
  IF what IS NULL THEN
    what := CASE WHEN conditions = '{}' THEN 'evolve in an unknown way' ELSE 'evolve' END;
  END IF;
  RETURN concat_ws(' ', what, nullif(array_to_string(conditions, ', '), ''));
END $$;
COMMENT ON FUNCTION pokeapi.evolution_sentence IS 'A way of evolution in English, with every condition but the games: level up with high friendship (160), during the day.';

CREATE FUNCTION pokeapi.derive_evolution(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.evolution_chain WHERE id = ANY (ids);
  DELETE FROM pokeapi.evolution WHERE chain_id = ANY (ids);
  INSERT INTO pokeapi.evolution_chain (id, species_id, species, baby_trigger_item_id, baby_trigger_item)
  SELECT id, pokeapi.link_id(raw->'chain'->'species'), pokeapi.link_name(raw->'chain'->'species'),
         pokeapi.link_id(raw->'baby_trigger_item'), pokeapi.link_name(raw->'baby_trigger_item')
  FROM pokeapi.resource WHERE endpoint = 'evolution-chain' AND id = ANY (ids)
  ORDER BY id;
  WITH RECURSIVE node AS (
    SELECT id AS chain_id, raw->'chain' AS value, NULL::jsonb AS parent, '{}'::bigint[] AS path
    FROM pokeapi.resource WHERE endpoint = 'evolution-chain' AND id = ANY (ids)
    UNION ALL
    SELECT node.chain_id, e.value, node.value, node.path || e.n
    FROM node, jsonb_array_elements(pokeapi.list(node.value->'evolves_to')) WITH ORDINALITY AS e (value, n)
    -- Families have three generations.
    WHERE cardinality(node.path) < 20
  ), way AS (
    -- One is known to evolve even where nothing is said of how.
    SELECT node.chain_id, pokeapi.link_id(node.value->'species') AS species_id, node.value AS node, node.parent,
           coalesce(w.value, '{}') AS value, node.path, w.n
    FROM node
    LEFT JOIN LATERAL (
      SELECT * FROM jsonb_array_elements(pokeapi.list(node.value->'evolution_details')) WITH ORDINALITY AS d (value, n)
      WHERE jsonb_typeof(d.value) = 'object'
    ) w ON true
    WHERE node.parent IS NOT NULL AND pokeapi.link_id(node.value->'species') IS NOT NULL
  )
  INSERT INTO pokeapi.evolution
    (chain_id, species_id, ordinal, species, from_species_id, from_species, is_baby, sentence, is_default,
     version_group_id, version_group, trigger_id, trigger, item_id, item, held_item_id, held_item, known_move_id,
     known_move, known_move_type_id, known_move_type, used_move_id, used_move, location_id, location, region_id, region,
     party_species_id, party_species, party_type_id, party_type, trade_species_id, trade_species, base_form_id,
     base_form, evolved_form_id, evolved_form, gender, min_level, min_happiness, min_affection, min_beauty,
     min_damage_taken, min_move_count, min_steps, relative_physical_stats, time_of_day, near_special_rock,
     needs_multiplayer, needs_overworld_rain, turn_upside_down)
  SELECT chain_id, species_id,
         row_number() OVER (
           PARTITION BY chain_id, species_id ORDER BY pokeapi.link_id(value->'version_group'), path, n
         )::integer AS ordinal,
         pokeapi.link_name(node->'species'), pokeapi.link_id(parent->'species'), pokeapi.link_name(parent->'species'),
         pokeapi.flag(node->'is_baby'),
         pokeapi.evolution_sentence(value, pokeapi.link_name(parent->'species')), pokeapi.flag(value->'is_default'),
         pokeapi.link_id(value->'version_group'), pokeapi.link_name(value->'version_group'),
         pokeapi.link_id(value->'trigger'), pokeapi.link_name(value->'trigger'),
         pokeapi.link_id(value->'item'), pokeapi.link_name(value->'item'),
         pokeapi.link_id(value->'held_item'), pokeapi.link_name(value->'held_item'),
         pokeapi.link_id(value->'known_move'), pokeapi.link_name(value->'known_move'),
         pokeapi.link_id(value->'known_move_type'), pokeapi.link_name(value->'known_move_type'),
         pokeapi.link_id(value->'used_move'), pokeapi.link_name(value->'used_move'),
         pokeapi.link_id(value->'location'), pokeapi.link_name(value->'location'),
         pokeapi.link_id(value->'region'), pokeapi.link_name(value->'region'),
         pokeapi.link_id(value->'party_species'), pokeapi.link_name(value->'party_species'),
         pokeapi.link_id(value->'party_type'), pokeapi.link_name(value->'party_type'),
         pokeapi.link_id(value->'trade_species'), pokeapi.link_name(value->'trade_species'),
         pokeapi.link_id(value->'base_form'), pokeapi.link_name(value->'base_form'),
         pokeapi.link_id(value->'evolved_form'), pokeapi.link_name(value->'evolved_form'),
         pokeapi.whole(value->'gender'), pokeapi.whole(value->'min_level'), pokeapi.whole(value->'min_happiness'),
         pokeapi.whole(value->'min_affection'), pokeapi.whole(value->'min_beauty'),
         pokeapi.whole(value->'min_damage_taken'), pokeapi.whole(value->'min_move_count'),
         pokeapi.whole(value->'min_steps'), pokeapi.whole(value->'relative_physical_stats'),
         nullif(pokeapi.string(value->'time_of_day'), ''),
         -- Of these only the truth is a condition.
         nullif(pokeapi.flag(value->'near_special_rock'), false),
         nullif(pokeapi.flag(value->'needs_multiplayer'), false),
         nullif(pokeapi.flag(value->'needs_overworld_rain'), false),
         nullif(pokeapi.flag(value->'turn_upside_down'), false)
  FROM way
  ORDER BY chain_id, species_id, ordinal;
END $$;
COMMENT ON FUNCTION pokeapi.derive_evolution IS 'Replaces families and the ways of their evolution.';

CREATE FUNCTION pokeapi.derive_type(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.type WHERE id = ANY (ids);
  DELETE FROM pokeapi.type_relation WHERE attacking_type_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{moves,pokemon,sprites}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'type' AND id = ANY (ids)
  ), said AS (
    SELECT d.id, s.generation_id, s.relations
    FROM doc d, LATERAL (
      SELECT 0, d.raw->'damage_relations'
      UNION ALL
      SELECT pokeapi.link_id(e.value->'generation'), e.value->'damage_relations'
      FROM jsonb_array_elements(pokeapi.list(d.raw->'past_damage_relations')) AS e (value)
    ) AS s (generation_id, relations)
    WHERE s.generation_id >= 0 AND jsonb_typeof(s.relations) = 'object'
  ), pair AS (
    SELECT s.id, s.generation_id, pokeapi.link_id(e.value) AS defending_type_id,
           pokeapi.link_name(e.value) AS defending_type, r.multiplier
    FROM said s, (VALUES ('double_damage_to', 2), ('half_damage_to', 0.5), ('no_damage_to', 0)) AS r (name, multiplier),
         jsonb_array_elements(pokeapi.list(s.relations->r.name)) AS e (value)
  ), relation AS (
    -- What is a relation at one time, and none at another, is there for both.
    INSERT INTO pokeapi.type_relation
      (attacking_type_id, defending_type_id, generation_id, attacking_type, defending_type, multiplier)
    SELECT DISTINCT ON (s.id, t.defending_type_id, s.generation_id) s.id, t.defending_type_id, s.generation_id,
           pokeapi.string(d.raw->'name'), t.defending_type, coalesce(p.multiplier, 1)
    FROM doc d
    JOIN said s USING (id)
    JOIN (SELECT DISTINCT id, defending_type_id, defending_type FROM pair) t USING (id)
    LEFT JOIN pair p ON p.id = s.id AND p.generation_id = s.generation_id AND p.defending_type_id = t.defending_type_id
    WHERE t.defending_type_id IS NOT NULL
    ORDER BY s.id, t.defending_type_id, s.generation_id, p.multiplier, t.defending_type
  )
  INSERT INTO pokeapi.type
    (id, name, generation_id, generation, move_damage_class_id, move_damage_class, is_battle)
  SELECT d.id, pokeapi.string(d.raw->'name'), pokeapi.link_id(d.raw->'generation'),
         pokeapi.link_name(d.raw->'generation'), pokeapi.link_id(d.raw->'move_damage_class'),
         pokeapi.link_name(d.raw->'move_damage_class'),
         jsonb_path_exists(d.raw, '$.damage_relations.*[*] ? (@.type() == "object")')
  FROM doc d
  ORDER BY d.id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_type IS 'Replaces types and what they do to others.';

CREATE FUNCTION pokeapi.derive_move(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.move WHERE id = ANY (ids);
  DELETE FROM pokeapi.move_stat_change WHERE move_id = ANY (ids);
  DELETE FROM pokeapi.move_past_value WHERE move_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{learned_by_pokemon,flavor_text_entries,machines}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'move' AND id = ANY (ids)
  ), stat_changes AS (
    INSERT INTO pokeapi.move_stat_change (move_id, stat_id, stat, change)
    SELECT DISTINCT ON (d.id, s.stat_id) d.id, s.stat_id, pokeapi.link_name(e.value->'stat'),
           pokeapi.whole(e.value->'change')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'stat_changes')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'stat')) AS s (stat_id)
    WHERE s.stat_id IS NOT NULL
    ORDER BY d.id, s.stat_id, e.n
  ), past_values AS (
    INSERT INTO pokeapi.move_past_value
      (move_id, version_group_id, version_group, type_id, type, power, accuracy, pp, effect_chance)
    SELECT DISTINCT ON (d.id, g.id) d.id, g.id, pokeapi.link_name(e.value->'version_group'),
           pokeapi.link_id(e.value->'type'), pokeapi.link_name(e.value->'type'), pokeapi.whole(e.value->'power'),
           pokeapi.whole(e.value->'accuracy'), pokeapi.whole(e.value->'pp'), pokeapi.whole(e.value->'effect_chance')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'past_values')) WITH ORDINALITY AS e (value, n),
         LATERAL (SELECT pokeapi.link_id(e.value->'version_group')) AS g (id)
    WHERE g.id IS NOT NULL
    ORDER BY d.id, g.id, e.n
  )
  INSERT INTO pokeapi.move
    (id, name, generation_id, generation, type_id, type, damage_class_id, damage_class, power, accuracy, pp, priority,
     effect_chance, target_id, target, category_id, category, ailment_id, ailment, ailment_chance, flinch_chance,
     stat_chance, crit_rate, drain, healing, min_hits, max_hits, min_turns, max_turns)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.link_id(raw->'type'), pokeapi.link_name(raw->'type'), pokeapi.link_id(raw->'damage_class'),
         pokeapi.link_name(raw->'damage_class'), pokeapi.whole(raw->'power'), pokeapi.whole(raw->'accuracy'),
         pokeapi.whole(raw->'pp'), pokeapi.whole(raw->'priority'), pokeapi.whole(raw->'effect_chance'),
         pokeapi.link_id(raw->'target'), pokeapi.link_name(raw->'target'),
         pokeapi.link_id(raw->'meta'->'category'), pokeapi.link_name(raw->'meta'->'category'),
         pokeapi.link_id(raw->'meta'->'ailment'), pokeapi.link_name(raw->'meta'->'ailment'),
         pokeapi.whole(raw->'meta'->'ailment_chance'), pokeapi.whole(raw->'meta'->'flinch_chance'),
         pokeapi.whole(raw->'meta'->'stat_chance'), pokeapi.whole(raw->'meta'->'crit_rate'),
         pokeapi.whole(raw->'meta'->'drain'), pokeapi.whole(raw->'meta'->'healing'),
         pokeapi.whole(raw->'meta'->'min_hits'), pokeapi.whole(raw->'meta'->'max_hits'),
         pokeapi.whole(raw->'meta'->'min_turns'), pokeapi.whole(raw->'meta'->'max_turns')
  FROM doc
  ORDER BY id;
  PERFORM pokeapi.derive_effects('move', ids);
END $$;
COMMENT ON FUNCTION pokeapi.derive_move IS 'Replaces moves with what they change and their past values.';

CREATE FUNCTION pokeapi.derive_ability(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.ability WHERE id = ANY (ids);
  INSERT INTO pokeapi.ability (id, name, generation_id, generation, is_main_series)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'generation'), pokeapi.link_name(raw->'generation'),
         pokeapi.flag(raw->'is_main_series')
  FROM pokeapi.resource WHERE endpoint = 'ability' AND id = ANY (ids)
  ORDER BY id;
  PERFORM pokeapi.derive_effects('ability', ids);
END $$;
COMMENT ON FUNCTION pokeapi.derive_ability IS 'Replaces abilities.';

CREATE FUNCTION pokeapi.derive_item(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.item WHERE id = ANY (ids);
  DELETE FROM pokeapi.item_price WHERE item_id = ANY (ids);
  WITH doc AS MATERIALIZED (
    SELECT id, pokeapi.document(raw, '{flavor_text_entries,held_by_pokemon,machines}') AS raw
    FROM pokeapi.resource WHERE endpoint = 'item' AND id = ANY (ids)
  ), prices AS (
    INSERT INTO pokeapi.item_price
      (item_id, version_group_id, currency_id, version_group, currency, purchase_price, sell_price)
    SELECT DISTINCT ON (d.id, k.version_group_id, k.currency_id) d.id, k.version_group_id, k.currency_id,
           pokeapi.link_name(e.value->'version_group'), pokeapi.link_name(e.value->'currency'),
           pokeapi.whole(e.value->'purchase_price'), pokeapi.whole(e.value->'sell_price')
    FROM doc d, jsonb_array_elements(pokeapi.list(d.raw->'prices')) WITH ORDINALITY AS e (value, n),
         LATERAL (
           SELECT pokeapi.link_id(e.value->'version_group'), pokeapi.link_id(e.value->'currency')
         ) AS k (version_group_id, currency_id)
    WHERE k.version_group_id IS NOT NULL AND k.currency_id IS NOT NULL
    ORDER BY d.id, k.version_group_id, k.currency_id, e.n
  )
  INSERT INTO pokeapi.item
    (id, name, category_id, category, fling_power, fling_effect_id, fling_effect, baby_trigger_for_id, sprite_url)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'category'), pokeapi.link_name(raw->'category'),
         pokeapi.whole(raw->'fling_power'), pokeapi.link_id(raw->'fling_effect'),
         pokeapi.link_name(raw->'fling_effect'), pokeapi.link_id(raw->'baby_trigger_for'),
         pokeapi.string(raw->'sprites'->'default')
  FROM doc
  ORDER BY id;
  PERFORM pokeapi.derive_effects('item', ids);
END $$;
COMMENT ON FUNCTION pokeapi.derive_item IS 'Replaces items with their prices.';

CREATE FUNCTION pokeapi.derive_nature(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.nature WHERE id = ANY (ids);
  INSERT INTO pokeapi.nature
    (id, name, increased_stat_id, increased_stat, decreased_stat_id, decreased_stat, likes_flavor_id, likes_flavor,
     hates_flavor_id, hates_flavor)
  SELECT id, pokeapi.string(raw->'name'), pokeapi.link_id(raw->'increased_stat'),
         pokeapi.link_name(raw->'increased_stat'), pokeapi.link_id(raw->'decreased_stat'),
         pokeapi.link_name(raw->'decreased_stat'), pokeapi.link_id(raw->'likes_flavor'),
         pokeapi.link_name(raw->'likes_flavor'), pokeapi.link_id(raw->'hates_flavor'),
         pokeapi.link_name(raw->'hates_flavor')
  FROM pokeapi.resource WHERE endpoint = 'nature' AND id = ANY (ids)
  ORDER BY id;
END $$;
COMMENT ON FUNCTION pokeapi.derive_nature IS 'Replaces natures.';

CREATE FUNCTION pokeapi.derive_encounter(ids bigint[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM pokeapi.encounter WHERE pokemon_id = ANY (ids);
  INSERT INTO pokeapi.encounter
    (pokemon_id, location_area_id, version_id, ordinal, location_area, version, method_id, method, min_level, max_level,
     chance, max_chance, conditions, is_alpha, always_shiny, never_shiny, min_perfect_ivs)
  SELECT pokemon_id, location_area_id, version_id,
         row_number() OVER (
           PARTITION BY pokemon_id, location_area_id, version_id ORDER BY area_n, version_n, n)::integer AS ordinal,
         location_area, version, method_id, method, min_level, max_level, chance, max_chance, conditions, is_alpha,
         always_shiny, never_shiny, min_perfect_ivs
  FROM (
    SELECT r.id AS pokemon_id, area.id AS location_area_id, area.name AS location_area, a.n AS area_n,
           game.id AS version_id, game.name AS version, game.max_chance, v.n AS version_n, e.n,
           pokeapi.link_id(e.value->'method') AS method_id, pokeapi.link_name(e.value->'method') AS method,
           pokeapi.whole(e.value->'min_level') AS min_level, pokeapi.whole(e.value->'max_level') AS max_level,
           pokeapi.whole(e.value->'chance') AS chance,
           ARRAY(
             SELECT pokeapi.link_name(c.value)
             FROM jsonb_array_elements(pokeapi.list(e.value->'condition_values')) AS c (value)
             WHERE pokeapi.link_name(c.value) IS NOT NULL ORDER BY 1) AS conditions,
           pokeapi.flag(e.value->'pokemon_details'->'is_alpha') AS is_alpha,
           pokeapi.flag(e.value->'pokemon_details'->'always_shiny') AS always_shiny,
           pokeapi.flag(e.value->'pokemon_details'->'never_shiny') AS never_shiny,
           pokeapi.whole(e.value->'pokemon_details'->'min_perfect_ivs') AS min_perfect_ivs
    FROM pokeapi.resource r,
         jsonb_array_elements(pokeapi.list(r.raw)) WITH ORDINALITY AS a (value, n),
         -- OFFSET 0: read once for each of them, and not for every row.
         LATERAL (
           SELECT pokeapi.link_id(a.value->'location_area'), pokeapi.link_name(a.value->'location_area') OFFSET 0
         ) AS area (id, name),
         jsonb_array_elements(pokeapi.list(a.value->'version_details')) WITH ORDINALITY AS v (value, n),
         LATERAL (
           SELECT pokeapi.link_id(v.value->'version'), pokeapi.link_name(v.value->'version'),
                  pokeapi.whole(v.value->'max_chance') OFFSET 0
         ) AS game (id, name, max_chance),
         jsonb_array_elements(pokeapi.list(v.value->'encounter_details')) WITH ORDINALITY AS e (value, n)
    WHERE r.endpoint = 'pokemon-encounters' AND r.id = ANY (ids)
      AND area.id IS NOT NULL AND game.id IS NOT NULL AND jsonb_typeof(e.value) = 'object'
  ) AS way
  ORDER BY pokemon_id, location_area_id, version_id, ordinal;
END $$;
COMMENT ON FUNCTION pokeapi.derive_encounter IS 'Replaces where Pokémon are met.';

-- It runs as its owner: who writes the mirror may write documents, and nothing that contradicts them.
CREATE FUNCTION pokeapi.derive(endpoint text, ids bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Everything is looked up by its key. The plans are kept, and in a first load they are made when the tables are empty.
SET enable_seqscan = off
-- The planner takes arrays for long, and would compile every statement anew each time.
SET jit = off
AS $$
BEGIN
  IF cardinality(ids) > 0 THEN
    PERFORM pokeapi.derive_names(endpoint, ids);
    CASE endpoint
      WHEN 'ability' THEN PERFORM pokeapi.derive_ability(ids);
      WHEN 'evolution-chain' THEN PERFORM pokeapi.derive_evolution(ids);
      WHEN 'item' THEN PERFORM pokeapi.derive_item(ids);
      WHEN 'language' THEN PERFORM pokeapi.derive_language(ids);
      WHEN 'move' THEN PERFORM pokeapi.derive_move(ids);
      WHEN 'nature' THEN PERFORM pokeapi.derive_nature(ids);
      WHEN 'pokemon' THEN PERFORM pokeapi.derive_pokemon(ids);
      WHEN 'pokemon-encounters' THEN PERFORM pokeapi.derive_encounter(ids);
      WHEN 'pokemon-form' THEN PERFORM pokeapi.derive_pokemon_form(ids);
      WHEN 'pokemon-species' THEN PERFORM pokeapi.derive_species(ids);
      WHEN 'type' THEN PERFORM pokeapi.derive_type(ids);
      WHEN 'version' THEN PERFORM pokeapi.derive_version(ids);
      WHEN 'version-group' THEN PERFORM pokeapi.derive_version_group(ids);
      ELSE NULL;
    END CASE;
  END IF;
END $$;
COMMENT ON FUNCTION pokeapi.derive IS 'Replaces everything that was derived from these documents, by what they are now; of an endpoint without tables of its own, the names. Never fails for what a document says.';
REVOKE EXECUTE ON FUNCTION pokeapi.derive FROM PUBLIC;
