-- Which part of the scope tells genres apart: all of it, for an id may stand in two lists.
-- $1 scope text[] (kind, facet)
SELECT array_to_string($1::text[], '/') AS space
