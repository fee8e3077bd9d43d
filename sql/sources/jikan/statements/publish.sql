-- Makes the published list equal to a walk, and records the changes in the list's history. Writes only differences.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter), $3 publishing text[] (number of exact positions in the
-- history; empty without a history), $4 run uuid, $5 consistent boolean
WITH /* listed */, due AS MATERIALIZED (
  SELECT l.mal_id, l.position, l.unread FROM listed l LEFT JOIN published USING (mal_id)
  WHERE (published.position, published.unread) IS DISTINCT FROM (l.position, l.unread)
), gone AS (
  DELETE FROM jikan.ranking r
  WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
    AND r.mal_id NOT IN (SELECT mal_id FROM listed)
  RETURNING 1
), written AS (
  INSERT INTO jikan.ranking AS r (kind, subtype, filter, mal_id, position, unread)
  SELECT ($2::text[])[1], ($2::text[])[2], ($2::text[])[3], mal_id, position, unread FROM due ORDER BY mal_id
  ON CONFLICT (kind, subtype, filter, mal_id) DO UPDATE SET position = excluded.position, unread = excluded.unread
  RETURNING 1
), content AS (
  SELECT count(*) AS entries, /* list-digest */ AS digest, array_agg(mal_id) AS keys,
         array_agg(position) AS positions, array_agg(unread) AS unread, array_agg(rank) AS ranks,
         array_agg(score) AS scores, array_agg(members) AS members, array_agg(favorites) AS favorites
  FROM listed
)
SELECT entries, digest,
  CASE WHEN cardinality($3::text[]) > 0 THEN
    jikan.note_ranking(
      ($2::text[])[1], ($2::text[])[2], ($2::text[])[3], coalesce(keys, '{}'), positions, unread, ranks, scores,
      members, favorites, ($3::text[])[1]::integer, $4::uuid, $5::boolean)
  END AS published_at,
  CASE WHEN cardinality($3::text[]) > 0 THEN
    jikan.keep_order(
      ($2::text[])[1], ($2::text[])[2], ($2::text[])[3], coalesce(keys, '{}'), coalesce(positions, '{}'),
      coalesce(unread, '{}'), coalesce(ranks, '{}')) IS NULL
  END AS order_kept,
  CASE WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM due)
         -- A join is avoided, because the planner would run it as a slow nested loop if statistics are missing.
         OR (SELECT count(*) FROM gone)
            < (SELECT count(*) FROM published WHERE mal_id NOT IN (SELECT mal_id FROM listed))
       THEN 'jikan.ranking' END AS dropped_by
FROM content
