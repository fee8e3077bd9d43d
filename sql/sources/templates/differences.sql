  -- Of a row as it is (old) and as it would be (new): the columns that differ, and then, by name, the members of the
  -- documents (old_raw, new_raw) that differ and have no column. The statement continues with the members to compare.
  -- Rows and documents are unpacked once for an item, not once for a column or a member: `compared` is materialized,
  -- and members come from jsonb_each.
  SELECT name, coalesce(old->name, 'null')::text AS old_value, value::text AS new_value
  FROM jsonb_each(new) AS n (name, value)
  WHERE value <> coalesce(old->name, 'null')
  UNION ALL
  SELECT 'raw', coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE old_member IS NOT NULL), '[]')::text,
         coalesce(jsonb_agg(name ORDER BY name) FILTER (WHERE new_member IS NOT NULL), '[]')::text
