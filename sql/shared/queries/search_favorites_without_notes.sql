-- The favorites whose title or collection contains all words, the best match first. For logins that cannot read notes.
-- $1 words, $2 number of rows or NULL, $3 sources on a lost machine text[]
WITH asked AS MATERIALIZED (
  SELECT words, ARRAY(
    SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
    FROM regexp_split_to_table(words, '[ \t-\r]+') AS word WHERE word <> '') AS patterns
  FROM (
    SELECT sync.lower(normalize(regexp_replace(normalize($1::text, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)) AS words
  ) AS folded
), named AS (
  SELECT f.source, f.kind, f.id, f.collection, t.title, t.title_japanese,
         concat_ws(E'\n', t.title, t.title_japanese, f.collection) AS texts
  FROM app.favorite f LEFT JOIN LATERAL (
    -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
    SELECT v.title, v.title_japanese FROM app.item_of(f.source, f.kind, f.id) v
    WHERE f.source <> ALL ($3::text[]) OFFSET 0
  ) t ON true
), folded AS (
  SELECT n.*, sync.lower(normalize(regexp_replace(normalize(n.texts, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)) AS words
  FROM named n
), placed AS (
  SELECT f.*, count(*) OVER () AS group_total,
         CASE WHEN starts_with(f.words, a.words || E'\n') THEN 0 WHEN starts_with(f.words, a.words) THEN 1
              WHEN strpos(' ' || translate(f.words, E'\n', ' '), ' ' || a.words) > 0 THEN 2 ELSE 3 END AS rank
  FROM folded f, asked a WHERE f.words LIKE ALL (a.patterns)
)
SELECT source, kind, id, collection, coalesce(title, kind || ' ' || id) AS title, title_japanese AS subtitle,
       concat_ws(', ', kind, collection) AS detail, rank, group_total
FROM placed ORDER BY rank, title, source, kind, id, collection LIMIT $2::bigint
