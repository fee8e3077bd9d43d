-- Previews write.sql: a row for each column that would change, or one row with a null column for a new document.
-- The row `raw` names the document members that differ in more than the order of arrays. For a document that is a list,
-- this row contains the number of the list's entries. Derived tables are not compared.
-- $1 keys bigint[], $2 documents text[], $3 scope text[] (endpoint)
WITH item AS MATERIALIZED (
  SELECT ($3::text[])[1] AS endpoint, i.id, i.raw::jsonb AS raw FROM unnest($1::bigint[], $2::text[]) AS i (id, raw)
), derived AS MATERIALIZED (
/* columns */
), compared AS MATERIALIZED (
  SELECT d.id, d.name AS title, r.id IS NULL AS is_new, r.raw AS old_raw, d.raw AS new_raw,
         jsonb_build_object('name', r.name, 'vanished_at', r.vanished_at) AS old,
         to_jsonb(d) - '{endpoint,id,raw}'::text[] || '{"vanished_at": null}' AS new
  FROM derived d
  -- OFFSET 0 forces one look-up for each document.
  LEFT JOIN LATERAL (SELECT * FROM pokeapi.resource WHERE endpoint = d.endpoint AND id = d.id OFFSET 0) r ON true
)
SELECT id, title, is_new, NULL::text AS refusal, change.name, change.old_value, change.new_value
FROM compared LEFT JOIN LATERAL (
/* differences */
  FROM jsonb_each(pokeapi.document(old_raw)) AS o (name, old_member)
  FULL JOIN jsonb_each(pokeapi.document(new_raw)) AS n (name, new_member) USING (name)
  WHERE old_member IS DISTINCT FROM new_member AND (new->name <> coalesce(old->name, 'null')) IS NOT TRUE
    -- pokeapi.bag ignores the order of arrays, but is slow. It is therefore called only if the scalars are equal.
    AND CASE
      WHEN ARRAY(
          SELECT jsonb_path_query(old_member, 'strict $.** ? (@.type() != "object" && @.type() != "array")') AS scalar
          ORDER BY scalar
        ) IS DISTINCT FROM ARRAY(
          SELECT jsonb_path_query(new_member, 'strict $.** ? (@.type() != "object" && @.type() != "array")') AS scalar
          ORDER BY scalar
        ) THEN true
      ELSE pokeapi.bag(old_member) IS DISTINCT FROM pokeapi.bag(new_member) END
  HAVING count(*) > 0
  UNION ALL
  SELECT 'raw', jsonb_build_array(jsonb_array_length(pokeapi.list(old_raw)) || ' entries')::text,
         jsonb_build_array(jsonb_array_length(pokeapi.list(new_raw)) || ' entries')::text
  WHERE 'array' IN (jsonb_typeof(old_raw), jsonb_typeof(new_raw)) AND old_raw <> new_raw
) change ON NOT is_new
ORDER BY id, change.name
