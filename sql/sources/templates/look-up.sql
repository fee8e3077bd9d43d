-- One look-up for each item, whatever the planner thinks: of a table that was not analyzed yet, as in a first load, it
-- takes a scope for a few rows, and would read all of them for each page.
LEFT JOIN LATERAL (SELECT d.* FROM /* table */ d WHERE /* in scope */ AND /* has key */ OFFSET 0) d ON true
