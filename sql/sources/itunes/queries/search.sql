-- The items of all storefronts and charts whose title, artist and collection contain all words, the best match of each
-- kind first. Items with equal matches are in the order of their best positions in current charts.
-- $1 words, $2 number of rows of each kind or NULL
WITH asked AS MATERIALIZED (
  SELECT words, ARRAY(
    SELECT '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
    FROM regexp_split_to_table(words, '[ \t-\r\u0085\u2028\u2029]+') AS word WHERE word <> '') AS patterns
  FROM (SELECT itunes.folded($1::text) AS words) AS folded
), matched AS (
  SELECT CASE i.class WHEN 'collection' THEN 'album' ELSE i.class END AS kind, i.id, i.title, i.artist_name,
         coalesce(i.kind, CASE i.class WHEN 'collection' THEN 'album' ELSE i.class END) AS type, i.artwork_url,
         i.country, NULL::text AS chart, itunes.folded(i.title) AS words
  FROM itunes.item i, asked a WHERE i.vanished_at IS NULL AND i.search_text LIKE ALL (a.patterns)
  UNION ALL
  SELECT k.kind, e.id, e.name, e.artist_name, k.type, e.artwork_url, e.country, e.type, itunes.folded(e.name)
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
         row_number() OVER (PARTITION BY b.kind ORDER BY b.rank, c.position, length(b.words), b.id) AS place
  FROM best b
  LEFT JOIN (SELECT e.id, min(e.position) AS position FROM itunes.chart_entry e GROUP BY e.id) c USING (id)
)
SELECT kind, id, coalesce(title, id::text) AS title,
       concat_ws(', ', CASE WHEN kind <> 'artist' THEN artist_name END, CASE WHEN type <> kind THEN type END) AS detail,
       artwork_url AS picture, rank, group_total, country, chart
FROM placed WHERE $2::bigint IS NULL OR place <= $2
ORDER BY array_position(ARRAY['artist', 'album', 'track', 'podcast', 'audiobook', 'ebook', 'app'], kind), kind, place
