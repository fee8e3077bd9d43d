-- The numbers of the mirrored generations.
SELECT generation_id FROM pokeapi.species WHERE generation_id IS NOT NULL
UNION SELECT generation_id FROM pokeapi.type WHERE generation_id IS NOT NULL
UNION SELECT id FROM pokeapi.resource WHERE endpoint = 'generation' AND vanished_at IS NULL
ORDER BY generation_id
