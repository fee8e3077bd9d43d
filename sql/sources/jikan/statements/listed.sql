-- The list that publishing the walk would produce, with the columns of its history. If several page readings contain a
-- key, the latest one determines the key's place. A superseded reading is used only if no other reading has the key.
-- Positions count items without a readable id. If there are such items, the published entries that the walk did not
-- meet keep their positions and are marked as unread.
place AS (
  SELECT DISTINCT ON (s.key) s.key AS mal_id, p.list_page, s.ordinal, p.page AS reading
  FROM sync.published_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.is_superseded, p.page DESC, s.ordinal
), numbered AS (
  SELECT mal_id, row_number() OVER (
    ORDER BY list_page, ordinal, mal_id IS NULL, reading DESC, mal_id)::integer AS position
  FROM (
    TABLE place
    UNION ALL
    SELECT NULL, p.list_page, s.ordinal, p.page FROM sync.published_page p, unnest(p.unreadable_after) AS s (ordinal)
    WHERE p.walk_id = $1::bigint AND NOT p.is_superseded
  ) item
), seen AS MATERIALIZED (
  SELECT mal_id, position FROM numbered WHERE mal_id IS NOT NULL
), published AS (
  SELECT r.mal_id, r.position, r.unread FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
), placed AS (
  SELECT mal_id, position, false AS unread FROM seen
  UNION ALL
  SELECT mal_id, position, true FROM published
  WHERE mal_id NOT IN (SELECT mal_id FROM seen)
    AND EXISTS (SELECT 1 FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
), listed AS MATERIALIZED (
  -- The rows are aggregated in this order. A list without a history needs no counters.
  SELECT l.mal_id, l.position, l.unread, nullif(c.rank, 0) AS rank, nullif(c.score, 0) AS score, c.members, c.favorites
  FROM placed l LEFT JOIN jikan.media_counters c
    ON cardinality($3::text[]) > 0 AND c.kind = ($2::text[])[1] AND c.mal_id = l.mal_id
  ORDER BY l.position, l.unread, l.mal_id
)
