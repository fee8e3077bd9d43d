-- Every 2,000th key of a published list: between them, its history is verified slice by slice.
-- $1 scope text[]
SELECT key FROM (SELECT key, row_number() OVER (ORDER BY key) AS place FROM (/* published list */) l) numbered
WHERE place % 2000 = 0 ORDER BY key
