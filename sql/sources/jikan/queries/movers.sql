-- The movements in a list since a time, the largest first. If an entry entered or left, its missing position counts
-- as the end of the list. An entry that moved to a position after $6 has fallen, and its position is null. An entry
-- that came from such a position has climbed. An entry that the last publication's walk did not read has no position
-- and comes last.
-- $1 to $7 as in as_of.sql, $8 limit, $9 whether the last publication lacks titles that could not be read. If so, a
-- title that is no longer in the list counts as unread instead of left.
-- A part of a list is numbered again. The two cases are separate, because numbering the whole list takes long.
WITH past AS (
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE position END AS position
  FROM jikan.ranking_history
  WHERE $4::jsonb = '{}' AND coalesce($2::text, 'all') = $5 AND kind = $1 AND subtype = $5 AND filter = $3
    AND valid_from <= $7::timestamptz AND (valid_to > $7::timestamptz OR valid_to IS NULL)
  UNION ALL
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE row_number() OVER (ORDER BY position, unread, mal_id) END
  FROM jikan.ranking_history
  WHERE ($4::jsonb <> '{}' OR coalesce($2::text, 'all') <> $5) AND kind = $1 AND subtype = $5 AND filter = $3
    AND valid_from <= $7::timestamptz AND (valid_to > $7::timestamptz OR valid_to IS NULL)
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND (NOT $4::jsonb ? 'min_score' OR score > 0 AND score >= ($4->>'min_score')::numeric)
    AND ($4::jsonb - 'min_score' = '{}'
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4::jsonb - 'min_score') s))
), present AS (
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE position END AS position, unread
  FROM jikan.ranking_history
  WHERE $4::jsonb = '{}' AND coalesce($2::text, 'all') = $5 AND kind = $1 AND subtype = $5 AND filter = $3
    AND valid_to IS NULL
  UNION ALL
  SELECT mal_id, CASE WHEN position > $6 THEN NULL ELSE row_number() OVER (ORDER BY position, unread, mal_id) END,
         unread
  FROM jikan.ranking_history
  WHERE ($4::jsonb <> '{}' OR coalesce($2::text, 'all') <> $5) AND kind = $1 AND subtype = $5 AND filter = $3 AND valid_to IS NULL
    AND (subtype = $2 OR $2::text IS NULL
         OR mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND type = jikan.type_label($2)))
    AND (NOT $4::jsonb ? 'min_score' OR score > 0 AND score >= ($4->>'min_score')::numeric)
    AND ($4::jsonb - 'min_score' = '{}'
         OR mal_id IN (SELECT s.mal_id FROM jikan.slice($1, $4::jsonb - 'min_score') s))
), compared AS (
  -- A list can have moved as a whole, so these rows are narrow. A section is a place in the array below. An entry that
  -- did not move has none.
  SELECT mal_id, n.position, p.position AS previous_position, n.mal_id IS NOT NULL AS is_listed,
         p.mal_id IS NOT NULL AS was_listed,
         CASE WHEN n.unread THEN 5
              WHEN n.position IS NOT DISTINCT FROM p.position THEN NULL
              WHEN p.mal_id IS NULL THEN 3
              WHEN n.mal_id IS NOT NULL AND (p.position IS NULL OR n.position < p.position) THEN 1
              WHEN n.mal_id IS NOT NULL THEN 2
              WHEN $9::boolean
                AND NOT EXISTS (SELECT FROM jikan.media m
                                WHERE m.kind = $1 AND m.mal_id = p.mal_id AND m.vanished_at IS NOT NULL)
                AND NOT EXISTS (SELECT FROM jikan.ranking r
                                WHERE r.kind = $1 AND r.subtype = $5 AND r.filter = $3 AND r.mal_id = p.mal_id)
                THEN 5
              ELSE 4 END AS section
  FROM present n FULL JOIN past p USING (mal_id)
), counted AS (
  -- All totals are of one pass.
  SELECT *, 1 + max(greatest(position, previous_position)) OVER () AS absent, count(section) OVER () AS page_total,
         count(*) FILTER (WHERE section = 1) OVER () AS climbed, count(*) FILTER (WHERE section = 2) OVER () AS fell,
         count(*) FILTER (WHERE section = 3) OVER () AS entered, count(*) FILTER (WHERE section = 4) OVER () AS gone,
         count(*) FILTER (WHERE section = 5) OVER () AS not_read
  FROM compared
), mover AS (
  SELECT mal_id, CASE WHEN section <> 5 THEN position END AS position, previous_position, is_listed, was_listed,
         ('{climbed,fell,new,left,not read}'::text[])[section] AS section,
         abs(coalesce(previous_position, absent) - coalesce(position, absent)) AS way,
         page_total, climbed, fell, entered, gone, not_read
  FROM counted WHERE section IS NOT NULL
  -- The limit is here, so that titles and scores are looked up only for the returned rows.
  ORDER BY section = 5, way DESC, coalesce(CASE WHEN section <> 5 THEN position END, previous_position), mal_id LIMIT $8
)
SELECT v.mal_id, m.title, m.title_japanese, m.type, v.position, v.previous_position,
       v.previous_position - v.position AS change,
       CASE v.section WHEN 'climbed' THEN 'up' WHEN 'fell' THEN 'down' WHEN 'new' THEN 'entered'
            WHEN 'not read' THEN 'unread' ELSE 'left' END AS movement,
       n.score, p.score AS previous_score, coalesce(n.members, p.members) AS members, $1::text AS kind, m.image_url,
       m.started_at, CASE WHEN m.mal_id IS NULL THEN jikan.not_mirrored($1, v.mal_id) END AS not_mirrored,
       v.section, v.page_total,
       json_strip_nulls(json_build_object(
         'climbed', nullif(v.climbed, 0), 'fell', nullif(v.fell, 0), 'new', nullif(v.entered, 0),
         'left', nullif(v.gone, 0), 'not read', nullif(v.not_read, 0))) AS section_totals
FROM mover v LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = v.mal_id
LEFT JOIN LATERAL (
  SELECT score, members FROM jikan.ranking_history h
  WHERE h.kind = $1 AND h.subtype = $5 AND h.filter = $3 AND h.mal_id = v.mal_id AND h.valid_to IS NULL
  OFFSET 0
) n ON v.is_listed
LEFT JOIN LATERAL (
  SELECT score, members FROM jikan.ranking_history h
  WHERE h.kind = $1 AND h.subtype = $5 AND h.filter = $3 AND h.mal_id = v.mal_id
    AND h.valid_from <= $7::timestamptz AND (h.valid_to > $7::timestamptz OR h.valid_to IS NULL)
  OFFSET 0
) p ON v.was_listed
ORDER BY v.section = 'not read', v.way DESC, coalesce(v.position, v.previous_position), v.mal_id
