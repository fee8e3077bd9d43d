-- The run whose id begins so; two rows if there are several.
-- $1 beginning of the id
SELECT /* whole run */
FROM sync.run
WHERE starts_with(id::text, lower($1::text))
ORDER BY started_at DESC, id LIMIT 2
