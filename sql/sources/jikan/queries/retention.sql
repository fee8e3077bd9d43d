-- The retention of the history, and whether the connected role can change it.
SELECT r.kept_days, has_table_privilege('jikan.ranking_retention', 'UPDATE') FROM jikan.ranking_retention r
