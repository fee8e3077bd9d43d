-- Of each source and mode, when the latest verification ended and how many differences it found.
SELECT DISTINCT ON (source, mode) source, mode, extract(epoch FROM finished_at)::double precision, differences
FROM sync.verification ORDER BY source, mode, id DESC
