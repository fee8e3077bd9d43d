-- Entries of a published list that differ from its walk: a row for each, with the stored position (null: lost) and the
-- right one (null: added).
-- $1 walk bigint, $2 scope text[], $3 publishing text[]
WITH /* listed */, walked AS (/* walked list */), stored AS (/* published list */)
SELECT key, (/* entry */)::text, s.position, w.position
FROM walked w FULL JOIN stored s USING (key)
WHERE (/* misplaced */) AND $3::text[] IS NOT NULL
ORDER BY coalesce(w.position, s.position), key
