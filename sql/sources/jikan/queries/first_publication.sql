-- Since when there is a history.
-- $1 kind, $2 subtype
SELECT min(published_at)::text FROM jikan.ranking_publication
WHERE kind = $1 AND filter = 'none' AND subtype IN ($2, 'all')
