-- The published lists of a source. If several streams published the same list, for example because a chart was renamed,
-- only the latest publication is returned.
-- $1 source text, $2 stream text (null for all)
SELECT p.list, p.folder, array_to_json(p.scope)::text, p.digest, r.walk_id, p.run_id::text,
       EXISTS (SELECT FROM sync.walk w WHERE w.id = r.walk_id) AS has_walk,
       jsonb_build_object('source', p.source, 'list', p.list)::text AS key
FROM sync.publication p LEFT JOIN sync.run r ON r.id = p.run_id
WHERE p.source = $1::text AND ($2::text IS NULL OR p.list = $2)
  AND NOT EXISTS (
    SELECT FROM sync.publication n
    WHERE n.source = p.source AND n.folder = p.folder AND n.scope = p.scope
      AND (n.published_at, n.list) > (p.published_at, p.list))
ORDER BY p.list
