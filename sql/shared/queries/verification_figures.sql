-- The end of each source's latest verification, and its number of differences. Modes of earlier versions are omitted.
SELECT DISTINCT ON (source) source, mode, extract(epoch FROM finished_at)::double precision, differences
FROM sync.verification WHERE mode = 'local' ORDER BY source, id DESC
