-- The season of most entries of a walk, as '2026 winter', their number, and the number of entries that have a season.
-- Entries that continue from an earlier season have that one, so the most frequent season counts, and of two that are
-- equally frequent the expected one. No row if no entry has a season.
-- $1 walk bigint, $2 scope text[] (kind, …), $3 expected season text; of a dry run, $4 keys bigint[] of readings that
-- are not stored; those of their items that the mirror has are counted
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
