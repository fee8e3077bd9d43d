-- The languages of names and texts, in the upstream's order.
SELECT language FROM (
  SELECT name AS language, id FROM pokeapi.language WHERE name IS NOT NULL
  UNION ALL
  SELECT language, min(language_id) FROM pokeapi.name WHERE endpoint IN ('pokemon-species', 'type')
  GROUP BY language
) l GROUP BY language ORDER BY min(id), language
