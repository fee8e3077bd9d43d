-- $1 walk bigint, $2 readings integer[], $3 scope text[]
SELECT DISTINCT p.page
FROM sync.walk_page p CROSS JOIN unnest(p.keys) AS key LEFT JOIN books.book b ON b.id = key
WHERE p.walk_id = $1::bigint AND p.page = ANY ($2::integer[]) AND $3::text[] IS NOT NULL
  AND (b.id IS NULL OR b.changed_at > coalesce(p.mirrored_at, p.fetched_at))
