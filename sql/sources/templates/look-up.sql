-- One look-up for each item, whatever the planner estimates: without statistics, as in a first load, it expects a few
-- rows of a scope, and would read all of them for each page.
LEFT JOIN LATERAL (SELECT d.* FROM /* table */ d WHERE /* in scope */ AND /* has key */ OFFSET 0) d ON true
