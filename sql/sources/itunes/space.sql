-- Which part of the scope tells items apart: the storefront.
-- $1 scope text[] (country, …)
SELECT ($1::text[])[1] AS space
