-- pokeapi.pokedex with slug for the name in links, and name, language and type_names as people read them. A form has
-- its own name if there is one in a language that is no worse than that of the species' name.
-- $1 languages text[], the preferred one first
/* best-name */, entry AS (
  SELECT p.id, p.species_id, p.species, p.name AS slug, p.is_form, p.generation_id, p.types,
         coalesce(CASE WHEN f.use_form THEN f.name ELSE s.name END, p.name) AS name,
         CASE WHEN f.use_form THEN f.language ELSE s.language END AS language,
         ARRAY(
           SELECT coalesce(tn.name, pt.type) FROM pokeapi.pokemon_type pt
           LEFT JOIN best_name tn ON tn.endpoint = 'type' AND tn.id = pt.type_id
           WHERE pt.pokemon_id = p.id ORDER BY pt.slot
         ) AS type_names,
         p.hp, p.attack, p.defense, p.special_attack, p.special_defense, p.speed, p.total,
         p.is_baby, p.is_legendary, p.is_mythical, p.owned
  FROM pokeapi.pokedex p
  LEFT JOIN best_name s ON s.endpoint = 'pokemon-species' AND s.id = p.species_id
  LEFT JOIN LATERAL (
    SELECT n.name, n.language, s.name IS NULL OR coalesce(n.choice, 1000) <= coalesce(s.choice, 1000) AS use_form
    FROM pokeapi.pokemon_form pf JOIN best_name n ON n.endpoint = 'pokemon-form' AND n.id = pf.id
    WHERE p.is_form AND pf.pokemon_id = p.id AND pf.is_default
    ORDER BY pf.id LIMIT 1
  ) f ON true
)
