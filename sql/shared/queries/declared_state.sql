-- What is stored of a declared source: its resources that have a table, and where their next incremental walk begins.
-- A published walk with other parameters or of another origin does not count as a full walk.
-- $1 source text, $2 resources text[], $3 fingerprints of the parameters of their full walks text[], $4 origins text[]
SELECT r.resource, to_jsonb(r.key)::text AS key, r.selector, r.columns::text, to_jsonb(r.counters)::text AS counters,
       r.has_list, EXISTS (
         SELECT FROM sync.run u JOIN sync.walk w ON w.id = u.walk_id
         WHERE p.consistent AND u.id = p.run_id AND w.parameters = l.parameters AND w.origin = l.origin
       ) AS has_full,
       extract(epoch FROM clock_timestamp() - p.published_at)::bigint AS full_age,
       r.cursor::text AS cursor, r.lists
FROM sync.declared_resource r
LEFT JOIN unnest($2::text[], $3::text[], $4::text[]) AS l (resource, parameters, origin) USING (resource)
LEFT JOIN sync.publication p ON p.source = r.source AND p.list = r.resource
WHERE r.source = $1::text AND to_regclass(format('%I.%I', r.source, r.resource)) IS NOT NULL
ORDER BY r.resource
