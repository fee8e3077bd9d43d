-- Makes the next runs publish the lists of a source again, even if they have not changed.
-- $1 source text
UPDATE sync.published_list SET digest = NULL, writes = writes + 1 WHERE source = $1::text AND digest IS NOT NULL
