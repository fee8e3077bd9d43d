-- The movements in a list since a time, the largest first. An entry that entered or left counts as if it came from, or
-- went to, the end of the list.
-- $1 to $13 as in as_of.sql, $14 limit, $15 whether the last publication lacks titles that could not be read. Missing
-- titles then count as unread, not as left.
WITH past AS (
  SELECT mal_id, CASE WHEN position <= $12 THEN row_number() OVER (ORDER BY position) END AS position, score, members
  FROM jikan.ranking_history
  WHERE kind = $1 AND subtype = $11 AND filter = $3
    AND valid_from <= $13::timestamptz AND (valid_to > $13::timestamptz OR valid_to IS NULL)
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND ($10::numeric IS NULL OR nullif(score, 0) >= $10)
    AND (cardinality($4::text[]) + cardinality($5::text[]) + cardinality($6::text[]) + cardinality($7::integer[])
         + cardinality($8::text[]) + cardinality($9::text[]) = 0
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4, $5, $6, $7::integer[], $8, $9) s))
), present AS (
  -- The last publication consists of the rows that have not ended.
  SELECT mal_id, CASE WHEN position <= $12 THEN row_number() OVER (ORDER BY position) END AS position, score, members
  FROM jikan.ranking_history
  WHERE kind = $1 AND subtype = $11 AND filter = $3 AND valid_to IS NULL
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND ($10::numeric IS NULL OR nullif(score, 0) >= $10)
    AND (cardinality($4::text[]) + cardinality($5::text[]) + cardinality($6::text[]) + cardinality($7::integer[])
         + cardinality($8::text[]) + cardinality($9::text[]) = 0
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4, $5, $6, $7::integer[], $8, $9) s))
), absent AS (
  SELECT 1 + greatest((SELECT max(position) FROM past), (SELECT max(position) FROM present)) AS position
), mover AS (
  SELECT mal_id, n.position, p.position AS previous_position, p.position - n.position AS change,
         CASE WHEN p.position IS NULL THEN 'entered' WHEN n.position IS NULL THEN 'left'
              WHEN n.position < p.position THEN 'up' ELSE 'down' END AS movement,
         n.score, p.score AS previous_score, coalesce(n.members, p.members) AS members,
         abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) AS way, count(*) OVER () AS page_total
  FROM present n FULL JOIN past p USING (mal_id) CROSS JOIN absent a
  WHERE n.position IS DISTINCT FROM p.position
  -- The limit is here, so that titles are looked up only for the returned rows.
  ORDER BY way DESC, coalesce(n.position, p.position), mal_id LIMIT $14
)
SELECT v.mal_id, m.title, m.title_japanese, m.type, v.position, v.previous_position, v.change,
       CASE WHEN u.is_unread THEN 'unread' ELSE v.movement END AS movement,
       v.score, v.previous_score, v.members, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, v.mal_id) END AS not_mirrored,
       CASE WHEN u.is_unread THEN 'not read' WHEN v.movement = 'up' THEN 'climbed' WHEN v.movement = 'down' THEN 'fell'
            WHEN v.movement = 'entered' THEN 'new' ELSE 'left' END AS section, v.page_total
FROM mover v LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = v.mal_id
CROSS JOIN LATERAL (
  SELECT $15::boolean AND v.movement = 'left' AND m.vanished_at IS NULL AND NOT EXISTS (
           SELECT FROM jikan.ranking r
           WHERE r.kind = $1 AND r.subtype = $11 AND r.filter = $3 AND r.mal_id = v.mal_id) AS is_unread
) u
ORDER BY v.way DESC, coalesce(v.position, v.previous_position), v.mal_id
