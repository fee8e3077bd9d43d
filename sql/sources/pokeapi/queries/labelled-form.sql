-- The name of each form in each language that has a label for it in form_names: the label alone if it contains the name
-- of the species, else both, as in Raichu (Alolan Form). More languages have labels than names of forms.
-- Only forms with ids above 10000, because the others are shown by the name of their species.
labelled_form AS (
  SELECT DISTINCT ON (p.id, s.language) p.id AS pokemon_id, s.language,
         CASE WHEN strpos(l.label, s.name) > 0 THEN l.label ELSE s.name || ' (' || l.label || ')' END
           AS name
  FROM pokeapi.pokemon_form pf
  JOIN pokeapi.pokemon p ON p.id = pf.pokemon_id
  JOIN pokeapi.resource r ON r.endpoint = 'pokemon-form' AND r.id = pf.id
  CROSS JOIN LATERAL jsonb_array_elements(pokeapi.list(r.raw->'form_names')) WITH ORDINALITY AS v (value, n)
  CROSS JOIN LATERAL (
    SELECT pokeapi.link_name(v.value->'language'), nullif(pokeapi.string(v.value->'name'), '')
  ) AS l (language, label)
  JOIN pokeapi.name s ON s.endpoint = 'pokemon-species' AND s.id = p.species_id AND s.language = l.language
  WHERE pf.is_default AND p.id > 10000 AND l.label IS NOT NULL
  ORDER BY p.id, s.language, pf.id, v.n
)
