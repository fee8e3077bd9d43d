-- The number of items whose names contain all words of a term.
-- $1 term, $2 storefront, $3 classes text[], $4 kinds text[], both empty for all
SELECT count(*) FROM itunes.found($1, $2)
WHERE (cardinality($3::text[]) = 0 OR class = ANY ($3)) AND (cardinality($4::text[]) = 0 OR kind = ANY ($4))
