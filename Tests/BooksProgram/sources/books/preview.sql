-- $1 keys bigint[], $2 documents jsonb[], $3 scope text[]
WITH item AS (
  SELECT i.id, i.raw FROM unnest($1::bigint[], $2::jsonb[]) AS i (id, raw) WHERE $3::text[] IS NOT NULL
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT d.id, d.title, b.id IS NULL AS is_new, b.raw AS old_raw, d.raw AS new_raw, to_jsonb(b) AS old,
         to_jsonb(d) - '{id,raw}'::text[] AS new
  FROM derived d LEFT JOIN books.book b USING (id)
)
SELECT id, title, is_new, NULL::text AS refusal, change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(old_raw) AS o (name, old_member) FULL JOIN jsonb_each(new_raw) AS n (name, new_member) USING (name)
  WHERE old_member IS DISTINCT FROM new_member AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
  HAVING count(*) > 0
) change ON NOT is_new
ORDER BY id, change.name
