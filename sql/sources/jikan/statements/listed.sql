-- The list that publishing the walk would produce, with the columns of its history. If several page readings contain a
-- key, the latest one determines the key's place. A superseded reading is used only if no other reading has the key.
-- If an id was unreadable, the published entries that the walk did not meet stay at the end of the list.
place AS (
  SELECT DISTINCT ON (s.key) s.key AS mal_id, p.list_page, s.ordinal, p.page AS reading
  FROM sync.published_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.is_superseded, p.page DESC, s.ordinal
), seen AS MATERIALIZED (
  SELECT mal_id, row_number() OVER (ORDER BY list_page, ordinal, reading DESC, mal_id)::integer AS position FROM place
), published AS (
  SELECT r.mal_id, r.position FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
), placed AS (
  SELECT mal_id, position FROM seen
  UNION ALL
  SELECT mal_id, ((SELECT count(*) FROM seen) + row_number() OVER (ORDER BY position, mal_id))::integer
  FROM published
  WHERE mal_id NOT IN (SELECT mal_id FROM seen)
    AND EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
), listed AS MATERIALIZED (
  -- The rows are aggregated in this order. A list without a history needs no counters.
  SELECT l.mal_id, l.position, nullif(c.rank, 0) AS rank, nullif(c.score, 0) AS score, c.members, c.favorites
  FROM placed l LEFT JOIN jikan.media_counters c
    ON cardinality($3::text[]) > 0 AND c.kind = ($2::text[])[1] AND c.mal_id = l.mal_id
  ORDER BY l.position
)
