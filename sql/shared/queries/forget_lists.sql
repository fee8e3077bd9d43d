-- Has the next runs publish the lists of a source again, whatever they hold.
-- $1 source text
UPDATE sync.published_list SET digest = NULL, writes = writes + 1 WHERE source = $1::text AND digest IS NOT NULL
