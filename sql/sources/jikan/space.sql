-- Which part of the scope tells items apart; the rest tells lists of the same items apart.
-- $1 scope text[] (kind, …)
SELECT array_to_string(($1::text[])[1:1], '/') AS space
