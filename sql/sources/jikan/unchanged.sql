-- The work that remains when an unchanged list is published: old months leave its history.
-- $1 publishing text[]
SELECT jikan.tidy_ranking_history() WHERE cardinality($1::text[]) > 0
