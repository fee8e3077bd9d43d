-- The part of the scope that distinguishes items; the rest distinguishes lists of the same items.
-- $1 scope text[]
SELECT /* space */ AS space
