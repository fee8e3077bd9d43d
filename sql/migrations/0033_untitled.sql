-- Of an item only its id is required: what does not fit its column is null, and the document keeps what was sent.

ALTER TABLE jikan.media ALTER COLUMN title DROP NOT NULL;
ALTER TABLE jikan.genre ALTER COLUMN name DROP NOT NULL;
