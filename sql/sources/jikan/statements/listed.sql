-- The list that publishing the walk would produce, with the columns of its history. If the walk met items without a
-- readable id, the published entries that the walk did not meet keep their positions and are marked as unread.
seen AS MATERIALIZED (
  /* seen by latest reading */
), published AS (
  SELECT r.mal_id, r.position, r.unread FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
), placed AS (
  SELECT key AS mal_id, position, false AS unread FROM seen
  UNION ALL
  SELECT mal_id, position, true FROM published
  WHERE mal_id NOT IN (SELECT key FROM seen) AND /* has unreadable */
), listed AS MATERIALIZED (
  -- The rows are aggregated in this order. A list without a history needs no counters.
  SELECT l.mal_id, l.position, l.unread, nullif(c.rank, 0) AS rank, nullif(c.score, 0) AS score, c.members, c.favorites
  FROM placed l LEFT JOIN jikan.media_counters c
    ON cardinality($3::text[]) > 0 AND c.kind = ($2::text[])[1] AND c.mal_id = l.mal_id
  ORDER BY l.position, l.unread, l.mal_id
)
