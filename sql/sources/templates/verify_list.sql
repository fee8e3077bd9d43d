-- Entries of a published list that are not as the walk saw them that published it: a row for each, with the position that
-- is stored (null for one that was lost) and the one that it should have (null for one that was added).
-- $1 walk bigint, $2 scope text[], $3 publishing text[]
WITH /* listed */, walked AS (/* walked list */), stored AS (/* published list */)
SELECT key, (/* entry */)::text, s.position, w.position
FROM walked w FULL JOIN stored s USING (key)
WHERE (/* misplaced */) AND $3::text[] IS NOT NULL
ORDER BY coalesce(w.position, s.position), key
