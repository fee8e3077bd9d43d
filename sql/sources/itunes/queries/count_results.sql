-- The number of items in a search's last publication at or before a time.
-- $1 search, $2 time
SELECT count(*) FROM itunes.search_history
WHERE search = $1 AND valid_from <= $2::timestamptz AND (valid_to > $2::timestamptz OR valid_to IS NULL)
