-- What storing items would change, column by column: a row for each column that differs, or one without a column where
-- none does. Reads only.
-- `raw` stands for what no column shows: it names the members that differ and that have no column of their name.
-- $1 keys bigint[], $2 documents jsonb[], $3 scope text[] (kind, …)
WITH item AS (
  SELECT ($3::text[])[1] AS kind, i.mal_id, i.raw FROM unnest($1::bigint[], $2::jsonb[]) AS i (mal_id, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS (
  SELECT d.mal_id, d.title, m.mal_id IS NULL AS is_new, m.raw AS old_raw, d.raw AS new_raw,
         to_jsonb(m) || coalesce(to_jsonb(c), '{}') AS old,
         to_jsonb(d) - '{kind,mal_id,raw}'::text[] || '{"vanished_at": null}' AS new
  FROM derived d LEFT JOIN jikan.media m USING (kind, mal_id) LEFT JOIN jikan.media_counters c USING (kind, mal_id)
)
SELECT mal_id, title, is_new, CASE WHEN title IS NULL THEN 'it has no title' END AS refusal,
       change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM (SELECT jsonb_object_keys(old_raw) UNION SELECT jsonb_object_keys(new_raw)) AS member (name)
  -- Of counters only whether they are there: their values are not those of today in a stored document.
  WHERE CASE WHEN name = ANY ('{score,scored,scored_by,rank,popularity,members,favorites}')
             THEN (old_raw ? name) <> (new_raw ? name) ELSE old_raw->name IS DISTINCT FROM new_raw->name END
    AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
  HAVING count(*) > 0
) change ON NOT is_new
ORDER BY mal_id, change.name
