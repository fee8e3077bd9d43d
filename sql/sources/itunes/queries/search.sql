-- The items of all storefronts and charts whose title, artist and collection contain all words, the best match of each
-- kind first. Items with equal matches are in the order of their best positions in current charts.
-- $1 words, $2 number of rows of each kind or NULL
WITH asked AS MATERIALIZED (
  SELECT words, ARRAY(
    SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
    FROM regexp_split_to_table(words, '[ \t-\r\u0085\u2028\u2029]+') AS word WHERE word <> '') AS patterns
  FROM (SELECT itunes.folded($1::text) AS words) AS folded
), charted AS MATERIALIZED (
  -- One object, because a join would compare each match with each entry of the charts.
  SELECT jsonb_object_agg(id, position) AS positions
  FROM (SELECT id, min(position) AS position FROM itunes.chart_entry GROUP BY id) e
), matched AS (
  -- Only what decides about the order. The other columns are read for the returned rows.
  SELECT CASE i.class WHEN 'collection' THEN 'album' ELSE i.class END AS kind, i.id, i.country, i.class,
         NULL::text AS chart, i.kind AS type, itunes.folded(i.title) AS words
  FROM itunes.item i, asked a WHERE i.vanished_at IS NULL AND i.search_text LIKE ALL (a.patterns)
  UNION ALL
  SELECT k.kind, e.id, e.country, NULL, e.type, k.type, itunes.folded(e.name)
  FROM asked a, itunes.chart_item e
  JOIN (VALUES ('songs', 'track', 'song'), ('music-videos', 'track', 'music-video'), ('albums', 'album', 'album'),
               ('apps', 'app', 'app'), ('podcasts', 'podcast', 'podcast'), ('books', 'ebook', 'ebook'),
               ('audio-books', 'audiobook', 'audiobook')) AS k (chart, kind, type) ON k.chart = e.type
  WHERE itunes.folded(concat_ws(' ', e.name, e.artist_name)) LIKE ALL (a.patterns)
), best AS (
  -- The record of a storefront has more facts than the entry of a chart.
  SELECT DISTINCT ON (m.kind, m.id) m.*,
         CASE WHEN m.words = a.words THEN 0 WHEN starts_with(m.words, a.words) THEN 1
              WHEN strpos(' ' || m.words, ' ' || a.words) > 0 THEN 2 ELSE 3 END AS rank
  FROM matched m, asked a ORDER BY m.kind, m.id, m.chart IS NOT NULL, m.country
), placed AS (
  SELECT b.*, count(*) OVER (PARTITION BY b.kind) AS group_total,
         row_number() OVER (
           PARTITION BY b.kind
           ORDER BY b.rank, (c.positions->>b.id::text)::integer, length(b.words), b.id) AS place
  FROM best b, charted c
)
SELECT p.kind, p.id, coalesce(i.title, e.name, p.id::text) AS title,
       concat_ws(', ', CASE WHEN p.kind <> 'artist' THEN coalesce(i.artist_name, e.artist_name) END,
                 CASE WHEN p.type <> p.kind THEN p.type END) AS detail,
       coalesce(i.artwork_url, e.artwork_url) AS picture, p.rank, p.group_total, p.country, p.chart
FROM placed p
LEFT JOIN itunes.item i ON i.country = p.country AND i.class = p.class AND i.id = p.id
LEFT JOIN itunes.chart_item e ON e.country = p.country AND e.type = p.chart AND e.id = p.id
WHERE $2::bigint IS NULL OR p.place <= $2
ORDER BY array_position(ARRAY['artist', 'album', 'track', 'podcast', 'audiobook', 'ebook', 'app'], p.kind), p.kind,
         p.place
