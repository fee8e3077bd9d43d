-- Every 2,000th key of a published list. The list's history is verified in slices between these keys.
-- $1 scope text[]
SELECT key FROM (SELECT key, row_number() OVER (ORDER BY key) AS place FROM (/* published list */) l) numbered
WHERE place % 2000 = 0 ORDER BY key
