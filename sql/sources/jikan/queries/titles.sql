-- The titles that may be meant, made comparable, with what else decides which of them is the best.
-- $1 kind, $2 patterns text[]
SELECT t.mal_id, t.titles, c.members, m.vanished_at IS NOT NULL AS is_vanished
FROM jikan.media_title t
JOIN jikan.media m USING (kind, mal_id)
LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE t.kind = $1 AND /* match */
