-- Previews write.sql: a row for each column that would change, or one row with a null column for a new record. The row
-- `raw` names the other document members that differ.
-- $1 keys bigint[], $2 documents text[], $3 scope text[] (country, …)
WITH item AS MATERIALIZED (
  SELECT i.key, ($3::text[])[1] AS country, itunes.key_class(i.key) AS class, itunes.key_id(i.key) AS id, i.raw::jsonb AS raw
  FROM unnest($1::bigint[], $2::text[]) AS i (key, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT d.key, d.title, s.id IS NULL AS is_new, s.raw AS old_raw, d.raw AS new_raw, to_jsonb(s) AS old,
         to_jsonb(d) - '{key,country,class,id,search_text,raw}'::text[] || '{"vanished_at": null}' AS new
  FROM derived d
  -- OFFSET 0 forces one look-up for each record.
  LEFT JOIN LATERAL (
    SELECT * FROM itunes.item WHERE country = d.country AND class = d.class AND id = d.id OFFSET 0
  ) s ON true
)
SELECT key, title, is_new, NULL::text AS refusal, change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(old_raw) AS o (name, old_member) FULL JOIN jsonb_each(new_raw) AS n (name, new_member) USING (name)
  WHERE old_member IS DISTINCT FROM new_member
  HAVING count(*) > 0
) change ON NOT is_new
ORDER BY key, change.name
