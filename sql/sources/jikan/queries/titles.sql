-- The titles, as returned by jikan.fold, that match patterns, with the data to choose the best title. If $3 is NULL, a
-- title must match one pattern in $2. Otherwise it must match all patterns in $2, or the pattern $3.
-- $1 kind, $2 patterns text[], $3 pattern or NULL
-- Most titles do not have the letters of $3 in their order, and need not be compared without their spaces.
-- IN is used instead of a join, so that PostgreSQL finds vanished items in an index and does not read the documents.
SELECT t.mal_id, t.titles, c.members,
       t.mal_id IN (SELECT mal_id FROM jikan.media WHERE kind = $1 AND vanished_at IS NOT NULL) AS is_vanished
FROM jikan.media_title t
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE t.kind = $1 AND CASE WHEN $3::text IS NULL THEN replace(t.titles, ' ', '') LIKE ANY ($2::text[])
                      ELSE t.titles LIKE ALL ($2::text[])
                           OR t.titles LIKE regexp_replace($3::text, '(\\?.)', '\1%', 'g')
                              AND replace(t.titles, ' ', '') LIKE $3::text END
