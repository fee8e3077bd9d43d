-- The stored favorites, with times to the microsecond. The titles and URLs are for readers; an import ignores them.
-- $1 collection or NULL
SELECT f.collection, f.source, f.kind, f.id, f.note, f.added_at, t.title, t.url,
       coalesce(f.rank_at_add, (
         SELECT h.value::integer FROM app.history_of(f.source, f.kind, f.id) h
         WHERE h.what = 'rank'
           AND (h.valid_to IS NULL OR h.valid_to > f.added_at)
         ORDER BY h.valid_from LIMIT 1
       )) AS rank_at_add,
       f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on, f.tags
FROM app.favorite f LEFT JOIN LATERAL (
  -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
  SELECT v.title, v.url FROM app.item_of(f.source, f.kind, f.id) v OFFSET 0
) t ON true
WHERE ($1::text IS NULL OR normalize(f.collection) = normalize($1))
ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
