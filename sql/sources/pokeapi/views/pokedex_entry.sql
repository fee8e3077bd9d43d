-- The first of `languages` is preferred. If a document has no name in these languages, another language is used.

CREATE OR REPLACE FUNCTION pokeapi.best_name(languages text[])
RETURNS TABLE (endpoint text, id bigint, name text, language text, choice integer)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- PostgreSQL applies the caller's condition on endpoint to the table, so it reads only the names of this endpoint.
  SELECT DISTINCT ON (n.endpoint, n.id) n.endpoint, n.id, n.name, n.language, array_position(languages, n.language)
  FROM pokeapi.name n
  ORDER BY n.endpoint, n.id, array_position(languages, n.language), n.language_id, n.language;
END;
COMMENT ON FUNCTION pokeapi.best_name IS 'The name of each document in the most preferred language that has a name. choice is the place of this language among the preferred languages, or null for another language.';

CREATE OR REPLACE FUNCTION pokeapi.main_form() RETURNS TABLE (pokemon_id bigint, id bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- Some Pokémon, such as 10264 to 10271, have no default form.
  SELECT DISTINCT ON (f.pokemon_id) f.pokemon_id, f.id FROM pokeapi.pokemon_form f
  WHERE f.pokemon_id IS NOT NULL
  ORDER BY f.pokemon_id, f.is_default DESC NULLS LAST, f.id;
END;
COMMENT ON FUNCTION pokeapi.main_form IS 'The form that names each Pokémon: its default form, or else its first form.';

CREATE OR REPLACE FUNCTION pokeapi.labelled_form()
RETURNS TABLE (pokemon_id bigint, language text, name text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- If the form's label contains the name of the species, the label is the whole name. Otherwise the label follows the
  -- name of the species, e.g. Raichu (Alolan Form). Pokémon with ids up to 10000 have the name of their species.
  SELECT DISTINCT ON (p.id, s.language) p.id, s.language,
         CASE WHEN strpos(l.label, s.name) > 0 THEN l.label ELSE s.name || ' (' || l.label || ')' END
  FROM pokeapi.main_form() pf
  JOIN pokeapi.pokemon p ON p.id = pf.pokemon_id
  JOIN pokeapi.resource r ON r.endpoint = 'pokemon-form' AND r.id = pf.id
  CROSS JOIN LATERAL jsonb_array_elements(pokeapi.list(r.raw->'form_names')) WITH ORDINALITY AS v (value, n)
  CROSS JOIN LATERAL (
    SELECT pokeapi.link_name(v.value->'language'), nullif(pokeapi.string(v.value->'name'), '')
  ) AS l (language, label)
  JOIN pokeapi.name s ON s.endpoint = 'pokemon-species' AND s.id = p.species_id AND s.language = l.language
  WHERE p.id > 10000 AND l.label IS NOT NULL
  ORDER BY p.id, s.language, pf.id, v.n;
END;
COMMENT ON FUNCTION pokeapi.labelled_form IS 'The name of each form in each language with a label in form_names. More languages have labels than names of forms.';

CREATE OR REPLACE FUNCTION pokeapi.entry(languages text[])
RETURNS TABLE (
  id bigint, species_id bigint, species text, slug text, is_form boolean, generation_id bigint, types text[], name text,
  language text, type_names text[], hp integer, attack integer, defense integer, special_attack integer,
  special_defense integer, speed integer, total integer, is_baby boolean, is_legendary boolean, is_mythical boolean,
  owned boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- The names are joined. A look-up for each Pokémon would read all names again each time.
  SELECT p.id, p.species_id, p.species, p.name, p.is_form, p.generation_id, p.types,
         coalesce(f.name, l.name, s.name, p.name), CASE WHEN f.name IS NULL THEN s.language ELSE f.language END,
         coalesce(t.names, '{}'), p.hp, p.attack, p.defense, p.special_attack, p.special_defense, p.speed, p.total,
         p.is_baby, p.is_legendary, p.is_mythical, p.owned
  FROM pokeapi.pokedex p
  LEFT JOIN pokeapi.best_name(languages) s ON s.endpoint = 'pokemon-species' AND s.id = p.species_id
  LEFT JOIN (
    SELECT pf.pokemon_id, n.name, n.language, n.choice
    FROM pokeapi.main_form() pf JOIN pokeapi.best_name(languages) n ON n.endpoint = 'pokemon-form' AND n.id = pf.id
  ) f ON p.is_form AND f.pokemon_id = p.id
    AND (s.name IS NULL OR coalesce(f.choice, 1000) <= coalesce(s.choice, 1000))
  LEFT JOIN pokeapi.labelled_form() l ON p.is_form AND l.pokemon_id = p.id AND l.language = s.language
  LEFT JOIN (
    SELECT pt.pokemon_id, array_agg(coalesce(n.name, pt.type) ORDER BY pt.slot) AS names
    FROM pokeapi.pokemon_type pt LEFT JOIN pokeapi.best_name(languages) n ON n.endpoint = 'type' AND n.id = pt.type_id
    GROUP BY pt.pokemon_id
  ) t ON t.pokemon_id = p.id;
END;
COMMENT ON FUNCTION pokeapi.entry IS 'pokeapi.pokedex with slug for the name in links, and name, language and type_names as people read them. A form uses its own name, unless the name of its species is in a more preferred language. Otherwise it uses the name from pokeapi.labelled_form, or else the name of the species.';

CREATE OR REPLACE FUNCTION pokeapi.texts(of_endpoint text, of_id bigint, document jsonb, languages text[])
RETURNS TABLE (
  short_effect text, effect text, effect_language text, description text, description_language text,
  description_version_group text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT x.short_effect, x.effect, x.language, d.text, d.language, d.version_group
  FROM (SELECT) one
  LEFT JOIN LATERAL (
    SELECT e.short_effect, coalesce(e.effect, e.short_effect) AS effect, e.language FROM pokeapi.effect e
    WHERE e.endpoint = of_endpoint AND e.id = of_id
    ORDER BY array_position(languages, e.language), e.language_id, e.language LIMIT 1
  ) x ON true
  LEFT JOIN LATERAL (
    -- Documents of items call the member `text` instead of `flavor_text`.
    SELECT pokeapi.clean(t.text, t.language) AS text, t.language, t.version_group
    FROM jsonb_array_elements(pokeapi.list(document->'flavor_text_entries')) AS v (value), LATERAL (
      SELECT coalesce(pokeapi.string(v.value->'flavor_text'), pokeapi.string(v.value->'text')),
             pokeapi.link_name(v.value->'language'), pokeapi.link_id(v.value->'language'),
             pokeapi.link_name(v.value->'version_group'), pokeapi.link_id(v.value->'version_group')
    ) AS t (text, language, language_id, version_group, version_group_id)
    LEFT JOIN pokeapi.version_group g ON g.id = t.version_group_id
    WHERE t.text IS NOT NULL
    ORDER BY array_position(languages, t.language), t.language_id, g."order" DESC NULLS LAST, t.version_group_id DESC
    LIMIT 1
  ) d ON true;
END;
COMMENT ON FUNCTION pokeapi.texts(text, bigint, jsonb, text[]) IS 'The effect of a move, an ability or an item, and its text from the latest games that have a text in the language.';

CREATE OR REPLACE FUNCTION pokeapi.texts(document pokeapi.resource, languages text[])
RETURNS TABLE (
  short_effect text, effect text, effect_language text, description text, description_language text,
  description_version_group text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT * FROM pokeapi.texts((document).endpoint, (document).id, (document).raw, languages);
END;
COMMENT ON FUNCTION pokeapi.texts(pokeapi.resource, text[]) IS 'The same for a row of pokeapi.resource.';
