-- The entries of a published list that differ from its walk. The stored position is null if the entry is missing. The
-- position from the walk is null if the entry does not belong to the list.
-- $1 walk bigint, $2 scope text[], $3 publishing text[]
WITH unused AS (SELECT $3::text[]), /* listed */, walked AS MATERIALIZED (/* walked list */), stored AS MATERIALIZED (/* published list */)
SELECT key, (/* entry */)::text, s.position, w.position, s.unread, w.unread
FROM walked w FULL JOIN stored s USING (/* entry names */)
WHERE /* misplaced */
ORDER BY /* entry order */
