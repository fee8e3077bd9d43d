-- Whether one of the items has vanished.
-- $1 keys bigint[], $2 scope text[]
SELECT EXISTS (SELECT FROM /* table */ d WHERE /* in scope */ AND /* among keys */ AND d.vanished_at IS NOT NULL)
