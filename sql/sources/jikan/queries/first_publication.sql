-- The beginning of a list's history.
-- $1 kind, $2 subtype, $3 filter
SELECT min(published_at)::text FROM jikan.ranking_publication
WHERE kind = $1 AND filter = $3 AND subtype IN ($2, 'all')
