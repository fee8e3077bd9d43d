-- The found items, in the order of the ids. `match` is the found title, unless it is the main or the Japanese title.
-- $1 kind, $2 ids bigint[], $3 titles text[] from jikan.fold
SELECT f.ordinal AS position, $1::text AS kind, f.mal_id, m.title,
       (
         SELECT t.title FROM (
           SELECT m.title_english
           UNION ALL SELECT m.title_japanese
           UNION ALL SELECT e->>'title'
           FROM jsonb_array_elements(CASE WHEN jsonb_typeof(m.raw->'titles') = 'array' THEN m.raw->'titles' END) e
           UNION ALL SELECT e #>> '{}'
           FROM jsonb_array_elements(
             CASE WHEN jsonb_typeof(m.raw->'title_synonyms') = 'array' THEN m.raw->'title_synonyms' END) e
         ) AS t (title)
         WHERE t.title <> '' AND jikan.fold(t.title) = f.title AND jikan.fold(m.title) IS DISTINCT FROM f.title
           AND t.title IS DISTINCT FROM m.title_japanese
         LIMIT 1
       ) AS match,
       m.title_english, m.title_japanese, m.type, m.status,
       CASE $1 WHEN 'anime' THEN m.year ELSE extract(year FROM m.started_at AT TIME ZONE 'UTC')::integer END AS year,
       nullif(c.score, 0) AS score, c.rank, c.members, c.favorites, m.url, m.vanished_at
FROM unnest($2::bigint[], $3::text[]) WITH ORDINALITY AS f (mal_id, title, ordinal)
JOIN jikan.media m ON m.kind = $1 AND m.mal_id = f.mal_id
LEFT JOIN jikan.media_counters c ON c.kind = $1 AND c.mal_id = f.mal_id
ORDER BY f.ordinal
