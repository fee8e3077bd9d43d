-- The stored favorites, with times to the microsecond. The titles and URLs are for readers; an import ignores them.
-- $1 collection or NULL
SELECT f.collection, f.source, f.kind, f.id, f.note, f.added_at, t.title, t.url,
       coalesce(f.rank_at_add, (
         SELECT h.value::integer FROM app.favorite_history h
         WHERE h.source = f.source AND h.kind = f.kind AND h.id = f.id AND h.what = 'rank'
           AND (h.valid_to IS NULL OR h.valid_to > f.added_at)
         ORDER BY h.valid_from LIMIT 1
       )) AS rank_at_add,
       f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on, f.tags
FROM app.favorite f LEFT JOIN LATERAL (
  -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
  SELECT v.title, v.url FROM app.favorite_item v
  WHERE v.source = f.source AND v.kind = f.kind AND v.id = f.id OFFSET 0
) t ON true
WHERE ($1::text IS NULL OR normalize(f.collection) = normalize($1))
ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
