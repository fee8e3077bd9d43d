-- The favorites with what the mirror has of them.
-- $1 collection or NULL, $2 to $6 what the row to continue after is sorted by, $2 NULL for the beginning, $7 limit,
-- $8 status or NULL
SELECT f.collection, f.source, f.kind, f.id, t.title, t.title_japanese, t.type, t.score, /* note */, f.added_at,
       t.rank, coalesce(f.rank_at_add, /* rank then */) - t.rank AS rank_change, t.url,
       CASE WHEN t.state IS NULL THEN 'missing' WHEN t.state = 'vanished' THEN 'removed' ELSE t.state END AS state,
       /* progress */,
       f.collection AS cursor_collection, f.added_at::text AS cursor_added_at, f.source AS cursor_source,
       f.kind AS cursor_kind, f.id AS cursor_id
FROM app.favorite f LEFT JOIN
/* titles */ ON true
WHERE /* in the collection */
  AND ($2::text IS NULL
       OR (f.collection, f.added_at, f.source, f.kind, f.id) > ($2, $3::timestamptz, $4, $5, $6::bigint))
  AND /* of the status */
ORDER BY f.collection, f.added_at, f.source, f.kind, f.id LIMIT $7::bigint
