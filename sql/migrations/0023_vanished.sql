-- A walk looks among the items of every page that nobody had to read for those that had vanished. There are hardly any,
-- so an index of them alone answers that.
CREATE INDEX media_vanished ON jikan.media (kind, mal_id) WHERE vanished_at IS NOT NULL;
