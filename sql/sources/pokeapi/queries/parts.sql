-- What the program chooses from. Orders are ascending; what has no value comes last.

/* columns of the list: */
id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names, hp, attack,
       defense, special_attack, special_defense, speed, total, generation_id AS generation, is_baby, is_legendary,
       is_mythical, owned,
/* picture */
/* columns of the ranking: */
position, id, name, language, slug, is_form, to_json(types) AS types, to_json(type_names) AS type_names,
       /* value */ AS value, generation_id AS generation,
/* picture */
/* picture: */
-- Of those that are shown only.
(SELECT artwork_url FROM pokeapi.pokemon p WHERE p.id = chosen.id) AS artwork_url

/* order by id: */ id
/* order by name: */ lower(name)
/* order by value: */ -coalesce(/* value */, -1)

/* type of id: */ bigint
/* type of name: */ text
/* type of value: */ integer

/* total: */ total
/* hp: */ hp
/* attack: */ attack
/* defense: */ defense
/* special-attack: */ special_attack
/* special-defense: */ special_defense
/* speed: */ speed

/* word: */
-- $2 word. Links have a hyphen for a space, and neither dots nor apostrophes.
word AS (
  SELECT translate(lower($2::text), '’', '''') AS exact,
         regexp_replace(translate(lower($2::text), '.’''', ''), '[ _-]+', '-', 'g') AS slug
)
/* texts: */
-- The effect and the text of the games of r, a document: x and d. The text is that of the latest games that have one in
-- the language; items call it otherwise.
LEFT JOIN LATERAL (
  SELECT short_effect, coalesce(effect, short_effect) AS effect, language FROM pokeapi.effect
  WHERE endpoint = r.endpoint AND id = r.id
  ORDER BY array_position($1::text[], language), language_id, language LIMIT 1
) x ON true
LEFT JOIN LATERAL (
  SELECT pokeapi.clean(t.text, t.language) AS text, t.language, t.version_group
  FROM jsonb_array_elements(pokeapi.list(r.raw->'flavor_text_entries')) AS v (value), LATERAL (
    SELECT coalesce(pokeapi.string(v.value->'flavor_text'), pokeapi.string(v.value->'text')),
           pokeapi.link_name(v.value->'language'), pokeapi.link_id(v.value->'language'),
           pokeapi.link_name(v.value->'version_group'), pokeapi.link_id(v.value->'version_group')
  ) AS t (text, language, language_id, version_group, version_group_id)
  LEFT JOIN pokeapi.version_group g ON g.id = t.version_group_id
  WHERE t.text IS NOT NULL
  ORDER BY array_position($1::text[], t.language), t.language_id, g."order" DESC NULLS LAST, t.version_group_id DESC
  LIMIT 1
) d ON true
