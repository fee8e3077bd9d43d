-- Moves the incremental cursor to the largest value among the items of a walk that reached the end. A walk of the whole
-- list replaces the cursor, because an earlier declaration can have had another cursor.
-- $1 walk bigint, $2 scope text[] (source, resource), $3 whether the walk read the whole list
UPDATE sync.declared_resource r
SET cursor = CASE WHEN $3::boolean THEN largest.value ELSE sync.later_cursor(r.cursor, largest.value) END
FROM (
  SELECT CASE WHEN bool_and(jsonb_typeof(/* cursor */) = 'number') THEN to_jsonb(max(sync.as_numeric(/* cursor */)))
              ELSE to_jsonb(max((/* cursor */ #>> '{}') COLLATE "C")) END AS value
  FROM (SELECT DISTINCT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint) met
  JOIN /* table */ d ON d.syncctl_key = met.key
  WHERE /* cursor */ <> 'null'
    -- An item that changed after the walk began can hide an older change on a page that was already read.
    AND (sync.as_timestamptz(/* cursor */) > (SELECT started_at FROM sync.walk WHERE id = $1::bigint)) IS NOT TRUE
) largest
WHERE r.source = ($2::text[])[1] AND r.resource = ($2::text[])[2]
  AND r.cursor IS DISTINCT FROM
    CASE WHEN $3::boolean THEN largest.value ELSE sync.later_cursor(r.cursor, largest.value) END
