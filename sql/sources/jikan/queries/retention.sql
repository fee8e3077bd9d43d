-- How long the history is kept, and whether the connected role may change that.
SELECT r.kept_days, has_table_privilege('jikan.ranking_retention', 'UPDATE') FROM jikan.ranking_retention r
