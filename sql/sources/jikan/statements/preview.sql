-- Previews write.sql: a row for each column that would change, or one row with a null column for a new item. The row
-- `raw` names the other document members that differ.
-- $1 keys bigint[], $2 documents text[], $3 scope text[] (kind, …)
WITH item AS MATERIALIZED (
  SELECT ($3::text[])[1] AS kind, i.mal_id, i.raw::jsonb AS raw FROM unnest($1::bigint[], $2::text[]) AS i (mal_id, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT d.mal_id, d.title, m.mal_id IS NULL AS is_new, m.raw AS old_raw, d.raw AS new_raw,
         to_jsonb(m) || coalesce(to_jsonb(c), '{}') AS old,
         to_jsonb(d) - '{kind,mal_id,raw}'::text[] || '{"vanished_at": null}' AS new
  FROM derived d
  -- OFFSET 0 forces one look-up for each item.
  LEFT JOIN LATERAL (SELECT * FROM jikan.media WHERE kind = d.kind AND mal_id = d.mal_id OFFSET 0) m ON true
  LEFT JOIN LATERAL (SELECT * FROM jikan.media_counters WHERE kind = d.kind AND mal_id = d.mal_id OFFSET 0) c ON true
)
SELECT mal_id, title, is_new, NULL::text AS refusal,
       change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(old_raw) AS o (name, old_member) FULL JOIN jsonb_each(new_raw) AS n (name, new_member) USING (name)
  -- For counters, only the existence of the member is compared, because stored documents have outdated values.
  WHERE CASE WHEN name = ANY ('{score,scored,scored_by,rank,popularity,members,favorites}')
             THEN (old_member IS NULL) <> (new_member IS NULL) ELSE old_member IS DISTINCT FROM new_member END
    AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
  HAVING count(*) > 0
) change ON NOT is_new
ORDER BY mal_id, change.name
