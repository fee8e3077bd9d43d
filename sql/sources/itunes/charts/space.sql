-- Which part of the scope tells entries apart: storefront and type. Charts of the same type have them in common.
-- $1 scope text[] (country, media, feed, type)
SELECT ($1::text[])[1] || '/' || ($1::text[])[4] AS space
