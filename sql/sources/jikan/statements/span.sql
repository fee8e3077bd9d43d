-- The season in which most entries of a walk began, e.g. '2026 winter', the number of these entries, and the number of
-- all entries with a season. If two seasons have equally many entries, the expected season wins.
-- $1 walk bigint, $2 scope text[] (kind, …), $3 expected season text, $4 keys that a dry run met bigint[]
SELECT m.year || ' ' || m.season AS span, count(*) AS entries, (sum(count(*)) OVER ())::bigint AS of_all
FROM jikan.media m
WHERE m.kind = ($2::text[])[1] AND m.season IS NOT NULL AND m.year IS NOT NULL
  AND m.mal_id IN (
    SELECT unnest(keys) FROM sync.published_page WHERE walk_id = $1::bigint
    UNION
    SELECT unnest($4::bigint[]))
GROUP BY m.year, m.season
ORDER BY count(*) DESC, m.year || ' ' || m.season = $3::text DESC, m.year, m.season
LIMIT 1
