-- pokeapi.pokedex with slug for the name in links, and name, language and type_names as people read them. A form has
-- its own name if there is one in a language that is no worse than that of the species' name, else the one in
-- labelled_form, else the species' name.
-- Names are joined as tables of their own, once: looked up for each Pokémon, all names would be read for each.
-- $1 languages text[], the preferred one first
/* best-name */, form_name AS (
  SELECT DISTINCT ON (pf.pokemon_id) pf.pokemon_id, n.name, n.language, n.choice
  FROM pokeapi.pokemon_form pf JOIN best_name n ON n.endpoint = 'pokemon-form' AND n.id = pf.id
  WHERE pf.is_default
  ORDER BY pf.pokemon_id, pf.id
), /* labelled-form */, type_name AS (
  SELECT pt.pokemon_id, array_agg(coalesce(n.name, pt.type) ORDER BY pt.slot) AS names
  FROM pokeapi.pokemon_type pt LEFT JOIN best_name n ON n.endpoint = 'type' AND n.id = pt.type_id
  GROUP BY pt.pokemon_id
), entry AS (
  SELECT p.id, p.species_id, p.species, p.name AS slug, p.is_form, p.generation_id, p.types,
         coalesce(f.name, l.name, s.name, p.name) AS name,
         CASE WHEN f.name IS NULL THEN s.language ELSE f.language END AS language,
         coalesce(t.names, '{}') AS type_names,
         p.hp, p.attack, p.defense, p.special_attack, p.special_defense, p.speed, p.total,
         p.is_baby, p.is_legendary, p.is_mythical, p.owned
  FROM pokeapi.pokedex p
  LEFT JOIN species_name s ON s.id = p.species_id
  LEFT JOIN form_name f ON p.is_form AND f.pokemon_id = p.id
    AND (s.name IS NULL OR coalesce(f.choice, 1000) <= coalesce(s.choice, 1000))
  LEFT JOIN labelled_form l ON p.is_form AND l.pokemon_id = p.id AND l.language = s.language
  LEFT JOIN type_name t ON t.pokemon_id = p.id
)
