-- What is published of a source: the streams, how their lists are made, what they hold, and the walk that they are from.
-- $1 source text
SELECT p.list, p.folder, array_to_json(p.scope)::text, p.digest, p.entries, r.walk_id, p.run_id::text,
       EXISTS (SELECT FROM sync.walk w WHERE w.id = r.walk_id) AS has_walk,
       jsonb_build_object('source', p.source, 'list', p.list)::text AS key
FROM sync.publication p LEFT JOIN sync.run r ON r.id = p.run_id
WHERE p.source = $1::text
ORDER BY p.list
