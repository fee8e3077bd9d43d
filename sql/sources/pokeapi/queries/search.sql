-- The Pokémon, moves, abilities, items and types with a name that contains all words, the best match of each kind first.
-- Names are compared in lower case and without accents, hyphens, dots and apostrophes.
-- $1 languages text[], $2 words, $3 number of rows of each kind or NULL
WITH asked AS MATERIALIZED (
  SELECT words, words ~ '^[ -~]*$' AS is_ascii, ARRAY(
    SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
    FROM regexp_split_to_table(words, ' ') AS word) AS patterns
  FROM (
    SELECT btrim(regexp_replace(translate(sync.lower(normalize(regexp_replace(
      normalize($2::text, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)), '-.''', ' '), ' +', ' ', 'g')) AS words
  ) AS folded
  WHERE words <> ''
), named AS (
  SELECT r.endpoint, r.id, r.name, false AS is_title FROM pokeapi.resource r
  WHERE r.endpoint IN ('pokemon', 'move', 'ability', 'item', 'type') AND r.name IS NOT NULL AND r.vanished_at IS NULL
  UNION ALL
  SELECT n.endpoint, n.id, n.name, true FROM pokeapi.name n
  WHERE n.endpoint IN ('pokemon-species', 'pokemon-form', 'move', 'ability', 'item', 'type')
), folded AS (
  -- Most names need only lower case, or cannot match because of their script.
  SELECT n.*, translate(
    CASE WHEN octet_length(n.name) = length(n.name) THEN lower(n.name COLLATE "C")
         WHEN n.name ~ '[\u00c0-\u024f\u1e00-\u1eff]' THEN sync.lower(normalize(regexp_replace(
           normalize(n.name, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC))
         WHEN a.is_ascii AND n.name !~ '[!-~\uff01-\uff5e]' THEN NULL
         WHEN n.name IS NFKC NORMALIZED THEN sync.lower(n.name)
         ELSE sync.lower(normalize(n.name, NFKC)) END,
    '-.''', ' ') AS words
  FROM named n, asked a
), matched AS (
  SELECT f.endpoint, f.id, CASE WHEN f.is_title THEN f.name END AS match, length(f.words) AS length,
         CASE WHEN f.words = a.words THEN 0 WHEN starts_with(f.words, a.words) THEN 1
              WHEN strpos(' ' || f.words, ' ' || a.words) > 0 THEN 2 ELSE 3 END AS rank
  FROM folded f, asked a WHERE f.words LIKE ALL (a.patterns)
), item AS (
  SELECT endpoint AS kind, id, match, length, rank FROM matched
  WHERE endpoint NOT IN ('pokemon-species', 'pokemon-form')
  UNION ALL
  SELECT 'pokemon', p.id, m.match, m.length, m.rank
  FROM matched m JOIN pokeapi.pokemon p ON p.species_id = m.id AND p.is_default WHERE m.endpoint = 'pokemon-species'
  UNION ALL
  -- Names of forms that are no Pokémon of their own are names of their Pokémon, too.
  SELECT 'pokemon', f.pokemon_id, m.match, m.length, m.rank
  FROM matched m JOIN pokeapi.pokemon_form f ON f.id = m.id
  WHERE m.endpoint = 'pokemon-form' AND f.pokemon_id IS NOT NULL
), best AS (
  SELECT DISTINCT ON (kind, id) kind, id, match, length, rank FROM item ORDER BY kind, id, rank, length, match
), placed AS (
  SELECT b.*, count(*) OVER (PARTITION BY b.kind) AS group_total,
         row_number() OVER (PARTITION BY b.kind ORDER BY b.rank, b.id > 10000, b.length, b.id) AS place
  FROM best b JOIN pokeapi.resource r ON r.endpoint = b.kind AND r.id = b.id AND r.vanished_at IS NULL
), shown AS (
  SELECT * FROM placed WHERE $3::bigint IS NULL OR place <= $3
), titled AS (
  SELECT s.*, CASE s.kind WHEN 'pokemon' THEN e.name ELSE n.name END AS name,
         CASE s.kind WHEN 'pokemon' THEN e.language ELSE n.language END AS language, e.type_names, r.name AS slug
  FROM shown s JOIN pokeapi.resource r ON r.endpoint = s.kind AND r.id = s.id
  LEFT JOIN LATERAL (
    SELECT n.name, n.language FROM pokeapi.name n WHERE n.endpoint = s.kind AND n.id = s.id
    ORDER BY array_position($1::text[], n.language), n.language_id, n.language LIMIT 1
  ) n ON true
  LEFT JOIN (SELECT * FROM pokeapi.entry($1) WHERE id IN (SELECT id FROM shown WHERE kind = 'pokemon')) e
    ON s.kind = 'pokemon' AND e.id = s.id
)
SELECT t.kind, t.id, t.slug, coalesce(t.name, t.slug, t.id::text) AS title,
       CASE WHEN t.match IS DISTINCT FROM t.name THEN t.match END AS match, t.rank, t.group_total,
       CASE t.kind WHEN 'pokemon' THEN array_to_string(t.type_names, ', ')
         WHEN 'move' THEN (
           SELECT concat_ws(', ', m.type, m.damage_class) FROM pokeapi.move m WHERE m.id = t.id)
         WHEN 'item' THEN (SELECT replace(i.category, '-', ' ') FROM pokeapi.item i WHERE i.id = t.id) END AS detail,
       CASE t.kind WHEN 'pokemon' THEN (
           SELECT coalesce(p.artwork_url, p.sprite_url) FROM pokeapi.pokemon p WHERE p.id = t.id)
         WHEN 'item' THEN (SELECT i.sprite_url FROM pokeapi.item i WHERE i.id = t.id) END AS picture
FROM titled t
ORDER BY array_position(ARRAY['pokemon', 'move', 'ability', 'item', 'type'], t.kind), t.place
