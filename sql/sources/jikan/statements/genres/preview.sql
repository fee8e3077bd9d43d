-- Previews write.sql: a row for each column that would change, or one row with a null column for a new genre. The row
-- `raw` names the other document members that differ.
-- $1 keys bigint[], $2 documents text[], $3 scope text[] (kind, facet)
WITH item AS MATERIALIZED (
  SELECT ($3::text[])[1] AS kind, ($3::text[])[2] AS facet, i.mal_id, i.raw::jsonb AS raw
  FROM unnest($1::bigint[], $2::text[]) AS i (mal_id, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT d.mal_id, d.name AS title, g.mal_id IS NULL AS is_new, g.raw AS old_raw, d.raw AS new_raw, to_jsonb(g) AS old,
         to_jsonb(d) - '{kind,facet,mal_id,raw}'::text[] AS new
  FROM derived d LEFT JOIN jikan.genre g USING (kind, facet, mal_id)
)
SELECT mal_id, title, is_new, NULL::text AS refusal,
       change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(old_raw) AS o (name, old_member) FULL JOIN jsonb_each(new_raw) AS n (name, new_member) USING (name)
  WHERE CASE WHEN name = 'count' THEN (old_member IS NULL) <> (new_member IS NULL)
             ELSE old_member IS DISTINCT FROM new_member END
    AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
  HAVING count(*) > 0
) change ON NOT is_new
ORDER BY mal_id, change.name
