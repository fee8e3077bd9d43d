-- Previews write.sql: a row for each column that would change, or one row with a null column for a new entry. The row
-- `raw` names the other document members that differ.
-- $1 keys bigint[], $2 documents text[], $3 scope text[] (country, media, feed, type)
WITH item AS MATERIALIZED (
  SELECT ($3::text[])[1] AS country, ($3::text[])[4] AS type, i.id, i.raw::jsonb AS raw
  FROM unnest($1::bigint[], $2::text[]) AS i (id, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT d.id, d.name AS title, c.id IS NULL AS is_new, c.raw AS old_raw, d.raw AS new_raw, to_jsonb(c) AS old,
         to_jsonb(d) - '{country,type,id,raw}'::text[] AS new
  FROM derived d LEFT JOIN itunes.chart_item c USING (country, type, id)
)
SELECT id, title, is_new, NULL::text AS refusal, change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(old_raw) AS o (name, old_member) FULL JOIN jsonb_each(new_raw) AS n (name, new_member) USING (name)
  WHERE old_member IS DISTINCT FROM new_member AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
  HAVING count(*) > 0
) change ON NOT is_new
ORDER BY id, change.name
