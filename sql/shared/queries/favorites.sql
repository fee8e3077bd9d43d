-- The favorites with their data in the mirror.
-- $1 collection or NULL, $2 to $6 sort values of the previous row (NULL at the beginning), $7 limit, $8 sources on
-- a lost machine, $9 status or NULL
SELECT f.collection, f.source, f.kind, f.id, t.title, t.title_japanese, t.type, t.score, f.note, f.added_at,
       t.rank,
       coalesce(f.rank_at_add, (
         SELECT h.value::integer FROM app.history_of(f.source, f.kind, f.id) h
         WHERE h.what = 'rank' AND f.source <> ALL ($8::text[])
           AND (h.valid_to IS NULL OR h.valid_to > f.added_at)
         ORDER BY h.valid_from LIMIT 1
       )) - t.rank AS rank_change, t.url,
       CASE WHEN f.source = ANY ($8::text[]) THEN 'unavailable' WHEN t.state IS NULL THEN 'missing'
            WHEN t.state = 'vanished' THEN 'removed' ELSE t.state END AS state,
       f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on, f.tags,
       f.collection AS cursor_collection, f.added_at::text AS cursor_added_at, f.source AS cursor_source,
       f.kind AS cursor_kind, f.id AS cursor_id,
       (SELECT count(*) FROM app.favorite
        WHERE ($1::text IS NULL OR normalize(collection) = normalize($1)) AND ($9::text IS NULL OR status = $9))
         AS page_total
FROM app.favorite f LEFT JOIN LATERAL (
  -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
  SELECT v.title, v.title_japanese, v.type, v.score, v.rank, v.url, v.state
  FROM app.item_of(f.source, f.kind, f.id) v WHERE f.source <> ALL ($8::text[]) OFFSET 0
) t ON true
WHERE ($1::text IS NULL OR normalize(f.collection) = normalize($1))
  AND ($2::text IS NULL
       OR (f.collection, f.added_at, f.source, f.kind, f.id) > ($2, $3::timestamptz, $4, $5, $6::bigint))
  AND ($9::text IS NULL OR f.status = $9)
ORDER BY f.collection, f.added_at, f.source, f.kind, f.id LIMIT $7::bigint
