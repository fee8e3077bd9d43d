-- The part of the scope that identifies a set of items. The other parts identify lists of these items.
-- $1 scope text[]
SELECT /* space */ AS space
