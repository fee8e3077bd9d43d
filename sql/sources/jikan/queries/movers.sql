-- The movements in a list since a time, the largest first. If an entry entered or left, its missing position counts
-- as the end of the list. An entry that moved to a position after $6 has fallen, and its position is null. An entry
-- that came from such a position has climbed. An entry that the last publication's walk did not read has no position
-- and comes last.
-- $1 to $7 as in as_of.sql, $8 limit, $9 whether the last publication lacks titles that could not be read. If so, a
-- title that is no longer in the list counts as unread instead of left.
-- A part of a list is numbered again. The two cases are separate, because numbering the whole list takes long.
WITH past AS (
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE position END AS position, score, members
  FROM jikan.ranking_history
  WHERE $4::jsonb = '{}' AND coalesce($2::text, 'all') = $5 AND kind = $1 AND subtype = $5 AND filter = $3
    AND valid_from <= $7::timestamptz AND (valid_to > $7::timestamptz OR valid_to IS NULL)
  UNION ALL
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE row_number() OVER (ORDER BY position, unread, mal_id) END,
         score, members
  FROM jikan.ranking_history
  WHERE ($4::jsonb <> '{}' OR coalesce($2::text, 'all') <> $5) AND kind = $1 AND subtype = $5 AND filter = $3
    AND valid_from <= $7::timestamptz AND (valid_to > $7::timestamptz OR valid_to IS NULL)
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND (NOT $4::jsonb ? 'min_score' OR score > 0 AND score >= ($4->>'min_score')::numeric)
    AND ($4::jsonb - 'min_score' = '{}'
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4::jsonb - 'min_score') s))
), present AS (
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE position END AS position, unread, score, members
  FROM jikan.ranking_history
  WHERE $4::jsonb = '{}' AND coalesce($2::text, 'all') = $5 AND kind = $1 AND subtype = $5 AND filter = $3
    AND valid_to IS NULL
  UNION ALL
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE row_number() OVER (ORDER BY position, unread, mal_id) END,
         unread, score, members
  FROM jikan.ranking_history
  WHERE ($4::jsonb <> '{}' OR coalesce($2::text, 'all') <> $5) AND kind = $1 AND subtype = $5 AND filter = $3 AND valid_to IS NULL
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND (NOT $4::jsonb ? 'min_score' OR score > 0 AND score >= ($4->>'min_score')::numeric)
    AND ($4::jsonb - 'min_score' = '{}'
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4::jsonb - 'min_score') s))
), absent AS (
  SELECT 1 + greatest((SELECT max(position) FROM past), (SELECT max(position) FROM present)) AS position
), moved AS (
  SELECT mal_id, CASE WHEN NOT n.unread THEN n.position END AS position, p.position AS previous_position,
         CASE WHEN NOT n.unread THEN p.position - n.position END AS change,
         CASE WHEN n.unread THEN 'not read'
              WHEN p.mal_id IS NULL THEN 'new'
              WHEN n.mal_id IS NOT NULL AND (p.position IS NULL OR n.position < p.position) THEN 'climbed'
              WHEN n.mal_id IS NOT NULL THEN 'fell'
              WHEN $9::boolean
                AND NOT EXISTS (SELECT FROM jikan.media m
                                WHERE m.kind = $1 AND m.mal_id = p.mal_id AND m.vanished_at IS NOT NULL)
                AND NOT EXISTS (SELECT FROM jikan.ranking r
                                WHERE r.kind = $1 AND r.subtype = $5 AND r.filter = $3 AND r.mal_id = p.mal_id)
                THEN 'not read'
              ELSE 'left' END AS section,
         n.score, p.score AS previous_score, coalesce(n.members, p.members) AS members,
         abs(coalesce(p.position, a.position) - coalesce(n.position, a.position)) AS way
  FROM present n FULL JOIN past p USING (mal_id) CROSS JOIN absent a
  WHERE n.unread OR n.position IS DISTINCT FROM p.position
), mover AS (
  -- All totals are of one pass, because a list can have moved as a whole.
  SELECT *, count(*) OVER () AS page_total, count(*) FILTER (WHERE section = 'climbed') OVER () AS climbed,
         count(*) FILTER (WHERE section = 'fell') OVER () AS fell,
         count(*) FILTER (WHERE section = 'new') OVER () AS entered,
         count(*) FILTER (WHERE section = 'left') OVER () AS gone,
         count(*) FILTER (WHERE section = 'not read') OVER () AS not_read
  FROM moved
  -- The limit is here, so that titles are looked up only for the returned rows.
  ORDER BY section = 'not read', way DESC, coalesce(position, previous_position), mal_id LIMIT $8
)
SELECT v.mal_id, m.title, m.title_japanese, m.type, v.position, v.previous_position, v.change,
       CASE v.section WHEN 'climbed' THEN 'up' WHEN 'fell' THEN 'down' WHEN 'new' THEN 'entered'
            WHEN 'not read' THEN 'unread' ELSE 'left' END AS movement,
       v.score, v.previous_score, v.members, $1::text AS kind, m.image_url, m.started_at,
       CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, v.mal_id) END AS not_mirrored,
       v.section, v.page_total,
       json_strip_nulls(json_build_object(
         'climbed', nullif(v.climbed, 0), 'fell', nullif(v.fell, 0), 'new', nullif(v.entered, 0),
         'left', nullif(v.gone, 0), 'not read', nullif(v.not_read, 0))) AS section_totals
FROM mover v LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = v.mal_id
ORDER BY v.section = 'not read', v.way DESC, coalesce(v.position, v.previous_position), v.mal_id
