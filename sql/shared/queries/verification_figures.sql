-- When the latest verification of each source ended, and how many differences it found. Earlier versions had other modes.
SELECT DISTINCT ON (source) source, mode, extract(epoch FROM finished_at)::double precision, differences
FROM sync.verification WHERE mode = 'local' ORDER BY source, id DESC
