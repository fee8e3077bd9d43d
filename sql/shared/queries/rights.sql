-- For each given right, whether the connected role has it. Partitions are omitted, because they are read through their
-- parent tables.
-- $1 privileges, $2 kinds of objects (schema, table, tables, function), $3 schemas, $4 names, all text[]
WITH needed AS (
  SELECT n.*, s.oid AS space
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
    AS n (privilege, kind, schema, name, place)
  JOIN pg_namespace s ON s.nspname = n.schema
), found AS (
  SELECT place, privilege, 'SCHEMA ' || quote_ident(schema) AS object,
         has_schema_privilege(space, privilege) AS is_held
  FROM needed WHERE kind = 'schema'
  UNION ALL
  SELECT place, privilege, quote_ident(schema) || '.' || quote_ident(c.relname),
         has_table_privilege(c.oid, privilege)
  FROM needed JOIN pg_class c ON c.relnamespace = space AND (kind = 'tables' OR c.relname = name)
  WHERE kind IN ('table', 'tables') AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  UNION ALL
  SELECT place, privilege, 'FUNCTION ' || p.oid::regprocedure::text, has_function_privilege(p.oid, privilege)
  FROM needed JOIN pg_proc p ON p.pronamespace = space AND p.proname = name
  WHERE kind = 'function'
)
SELECT privilege, object, bool_and(is_held) FROM found
GROUP BY privilege, object ORDER BY min(place), object
