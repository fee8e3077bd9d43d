-- Which part of the scope tells items apart; the rest tells lists of the same items apart.
-- $1 scope text[]
SELECT /* space */ AS space
