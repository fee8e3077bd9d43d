-- What moved in a list since a time, the longest way first. What entered or left came from or went to the end.
-- $1 to $5 as in listed, $6 limit
WITH past AS (
/* listed */
), present AS (
  -- The last publication: its rows are those that have not ended.
  SELECT h.mal_id, CASE WHEN h.position <= $4 THEN row_number() OVER (ORDER BY h.position) END AS position,
         h.score, h.members
  FROM jikan.ranking_history h LEFT JOIN jikan.media m ON m.kind = h.kind AND m.mal_id = h.mal_id
  WHERE h.kind = $1 AND h.subtype = $3 AND h.filter = 'none' AND h.valid_to IS NULL
    AND ($2::text IS NULL OR m.type = jikan.type_label($2))
), absent AS (
  SELECT 1 + greatest((SELECT max(position) FROM past), (SELECT max(position) FROM present)) AS position
), mover AS (
  SELECT mal_id, n.position, p.position AS previous_position, p.position - n.position AS change,
         CASE WHEN p.position IS NULL THEN 'entered' WHEN n.position IS NULL THEN 'left'
              WHEN n.position < p.position THEN 'up' ELSE 'down' END AS movement,
         n.score, p.score AS previous_score, coalesce(n.members, p.members) AS members,
         abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) AS way
  FROM present n FULL JOIN past p USING (mal_id) CROSS JOIN absent a
  WHERE n.position IS DISTINCT FROM p.position
)
SELECT v.mal_id, m.title, m.title_japanese, m.type, v.position, v.previous_position, v.change, v.movement,
       v.score, v.previous_score, v.members
FROM mover v LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = v.mal_id
ORDER BY v.way DESC, coalesce(v.position, v.previous_position), v.mal_id LIMIT $6
