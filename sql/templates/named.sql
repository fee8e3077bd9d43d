-- Stored items, for a user who must judge whether they are gone: the best known first, where the source counts members.
-- $1 keys bigint[], $2 scope text[]
SELECT /* key */ AS id, (/* title */)::text AS title, item.value->>'type' AS type,
       (item.value->>'year')::numeric::bigint AS year, (item.counters->>'members')::numeric::bigint AS members
FROM /* table */ d
/* counters */
-- OFFSET 0 computes both values once for each item.
CROSS JOIN LATERAL (SELECT to_jsonb(d) AS value, coalesce(/* counter-values */, '{}') AS counters OFFSET 0) item
WHERE /* in scope */ AND /* of-keys */
ORDER BY members DESC NULLS LAST, id
