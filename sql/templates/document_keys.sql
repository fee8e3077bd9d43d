-- The primary keys of documents, as JSON.
-- $1 keys bigint[], $2 scope text[]
SELECT key, (/* document key */)::text FROM unnest($1::bigint[]) AS key
