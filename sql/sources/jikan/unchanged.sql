-- What is due when a list is published that has not changed: old months leave its history all the same.
-- $1 publishing text[]
SELECT jikan.tidy_ranking_history() WHERE cardinality($1::text[]) > 0
