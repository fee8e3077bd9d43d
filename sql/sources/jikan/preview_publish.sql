-- What publishing a walk would do to the published list: how many entries it has, and how many would go.
-- $1 walk bigint, $2 scope text[] (kind, subtype, filter)
SELECT count(*) AS published, count(*) FILTER (WHERE NOT EXISTS (
         SELECT FROM sync.walk_page p WHERE p.walk_id = $1::bigint AND r.mal_id = ANY (p.keys))) AS removed
FROM jikan.ranking r
WHERE r.kind = ($2::text[])[1] AND r.subtype = ($2::text[])[2] AND r.filter = ($2::text[])[3]
