-- Deletes what is stored about resources whose table somebody has dropped. Returns each table, and a statement that
-- drops what is left of it. If the schema is gone too, a later schema of this name belongs to whoever makes it.
WITH gone AS (
  DELETE FROM sync.declared_resource
  WHERE to_regclass(format('%I.%I', source, resource)) IS NULL OR to_regprocedure(source || '.grant_rights()') IS NULL
  RETURNING source, resource, to_regprocedure(source || '.grant_rights()') IS NOT NULL AS has_schema
), forgotten AS (
  DELETE FROM sync.function_set WHERE folder IN (SELECT 'sources/' || source FROM gone WHERE NOT has_schema)
), lists AS (
  -- Otherwise, the next walk would find the same digest and write no positions.
  DELETE FROM sync.published_list p USING gone WHERE p.source = gone.source AND p.list = gone.resource
)
SELECT source || '.' || resource,
       CASE WHEN has_schema
            THEN format('DROP TABLE IF EXISTS %1$I.%2$I, %1$I.%3$I', source, resource || '_list', resource || '_counters')
       END,
       sync.forget_stream(source, resource)
FROM gone ORDER BY 1
