-- Makes the published list equal to what a walk saw, and records the changes in its history. Writes differences only.
-- The place of a key is in the latest reading of a page that shows it. A key that only superseded readings show keeps
-- its place there. Of several readings of one page the latest comes first. An item without a readable id may be any of
-- those that were not seen: then none of them leaves; they follow at the end. `dropped_by` is the table that did not
-- take what was written to it.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter), $3 publishing text[] (how many positions of the history are
-- exact; empty for a list without a history), $4 run uuid, $5 consistent boolean
WITH place AS (
  SELECT DISTINCT ON (s.key) s.key AS mal_id, p.list_page, s.ordinal, p.page AS reading
  FROM sync.published_page p, unnest(p.keys) WITH ORDINALITY AS s (key, ordinal)
  WHERE p.walk_id = $1::bigint
  ORDER BY s.key, p.is_superseded, p.page DESC, s.ordinal
), seen AS MATERIALIZED (
  SELECT mal_id, row_number() OVER (ORDER BY list_page, ordinal, reading DESC, mal_id)::integer AS position FROM place
), published AS (
  SELECT r.mal_id, r.position FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
), listed AS MATERIALIZED (
  SELECT mal_id, position FROM seen
  UNION ALL
  SELECT mal_id, ((SELECT count(*) FROM seen) + row_number() OVER (ORDER BY position, mal_id))::integer
  FROM published
  WHERE mal_id NOT IN (SELECT mal_id FROM seen)
    AND EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1::bigint AND unreadable > 0)
), due AS MATERIALIZED (
  SELECT l.mal_id, l.position FROM listed l LEFT JOIN published USING (mal_id)
  WHERE published.position IS DISTINCT FROM l.position
), gone AS (
  DELETE FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
    AND r.mal_id NOT IN (SELECT mal_id FROM listed)
  RETURNING 1
), written AS (
  INSERT INTO jikan.ranking AS r (kind, subtype, filter, mal_id, position)
  SELECT ($2::text[])[1], ($2::text[])[2], ($2::text[])[3], mal_id, position FROM due ORDER BY mal_id
  ON CONFLICT (kind, subtype, filter, mal_id) DO UPDATE SET position = excluded.position
  RETURNING 1
)
SELECT (SELECT count(*) FROM listed) AS entries,
  CASE WHEN cardinality($3::text[]) > 0 THEN
    jikan.note_ranking(
      ($2::text[])[1], ($2::text[])[2], ($2::text[])[3], ARRAY(SELECT mal_id FROM listed ORDER BY position),
      ($3::text[])[1]::integer, $4::uuid, $5::boolean)
  END AS published_at,
  CASE WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM due)
         -- No join: for tables without statistics, the planner chooses nested loops.
         OR (SELECT count(*) FROM gone)
            < (SELECT count(*) FROM published WHERE mal_id NOT IN (SELECT mal_id FROM listed))
       THEN 'jikan.ranking' END AS dropped_by
