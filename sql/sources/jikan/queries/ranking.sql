-- Part of a ranking.
-- $1 kind, $2 type of the upstream or NULL, $3 mal_id to continue after or NULL, $4 limit
/* ordered */
SELECT place AS position, mal_id, title, title_english, title_japanese, type, nullif(score, 0) AS score,
       c.rank, members, favorites, url
FROM ordered
LEFT JOIN (SELECT * FROM jikan.media WHERE kind = $1) m USING (mal_id)
LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
WHERE $3::bigint IS NULL OR place > (SELECT place FROM ordered WHERE mal_id = $3)
ORDER BY place LIMIT $4
