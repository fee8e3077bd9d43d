-- Previews write.sql: a row for each column that would change, or one row with a null column for a new item. The row
-- `raw` names the other document members that differ.
-- $1 keys bigint[], $2 documents text[], $3 scope text[]
WITH unused AS (SELECT $3::text[]), item AS MATERIALIZED (
  SELECT i.syncctl_key, i.raw::jsonb AS raw FROM unnest($1::bigint[], $2::text[]) AS i (syncctl_key, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT r.syncctl_key AS key, d.syncctl_key IS NULL AS is_new, d.raw AS old_raw, r.raw AS new_raw,
         to_jsonb(d.*) || coalesce(/* counter-values */, '{}') AS old, to_jsonb(r.*) - '{syncctl_key,raw}'::text[]
           || '{"vanished_at": null}' AS new, /* derived title */ AS title,
         CASE WHEN d.syncctl_key IS NULL OR /* document noted */ THEN true ELSE /* same derived key */ END AS is_same_key
  FROM derived r
  LEFT JOIN LATERAL (SELECT d.* FROM /* table */ d WHERE d.syncctl_key = r.syncctl_key OFFSET 0) d ON true
  /* counters of derived */
)
SELECT key, title, is_new, NULL::text AS refusal, change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(old_raw) AS o (name, old_member) FULL JOIN jsonb_each(new_raw) AS n (name, new_member) USING (name)
  -- For counters, only the existence of the member is compared, because stored documents have outdated values.
  WHERE CASE WHEN name = ANY (/* counter names */)
             THEN (old_member IS NULL) <> (new_member IS NULL) ELSE old_member IS DISTINCT FROM new_member END
    AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
  HAVING count(*) > 0
) change ON NOT is_new
-- A key with another JSON type raises the error that write.sql raises.
WHERE is_same_key
ORDER BY key, change.name
