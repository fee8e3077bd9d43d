-- Makes the published list equal to what a walk saw: position = ordinal without repeats. Writes differences only.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter)
WITH seen AS (
  SELECT s.key AS mal_id, row_number() OVER (ORDER BY min(p.page * 100000::bigint + s.ordinal))::integer AS position
  FROM sync.walk_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  GROUP BY s.key
), published AS (
  SELECT r.mal_id, r.position FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
), gone AS (
  DELETE FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
    AND r.mal_id NOT IN (SELECT mal_id FROM seen)
), written AS (
  INSERT INTO jikan.ranking AS r (kind, subtype, filter, mal_id, position)
  SELECT ($2::text[])[1], ($2::text[])[2], ($2::text[])[3], s.mal_id, s.position
  FROM seen s LEFT JOIN published USING (mal_id)
  WHERE published.position IS DISTINCT FROM s.position
  ORDER BY s.mal_id
  ON CONFLICT (kind, subtype, filter, mal_id) DO UPDATE SET position = excluded.position
)
SELECT count(*) AS entries FROM seen
