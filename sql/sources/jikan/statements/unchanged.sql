-- Runs instead of publish.sql if the list is unchanged. Deletes only old months of the history.
-- $1 publishing text[]
SELECT jikan.tidy_ranking_history() WHERE cardinality($1::text[]) > 0
