-- The entries of the published list that a walk did not see.
-- $1 walk bigint, $2 scope text[]
SELECT key FROM (/* published list */) AS published
WHERE key NOT IN (SELECT unnest(keys) FROM sync.published_page WHERE walk_id = $1::bigint)
ORDER BY position
