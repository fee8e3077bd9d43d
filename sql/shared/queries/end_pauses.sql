-- $1 origins
UPDATE sync.rate_budget SET paused_until = 0 WHERE origin = ANY ($1) AND sync.pause_left(origin) > 0
