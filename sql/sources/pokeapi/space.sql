-- Which part of the scope tells documents apart: the endpoint.
-- $1 scope text[] (endpoint)
SELECT ($1::text[])[1] AS space
