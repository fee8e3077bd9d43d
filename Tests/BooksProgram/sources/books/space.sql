-- $1 scope text[]
SELECT ($1::text[])[1] AS space
