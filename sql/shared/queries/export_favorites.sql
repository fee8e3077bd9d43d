-- The favorites as they are stored, their times with microseconds, and their titles and pages for people.
-- $1 collection or NULL
SELECT f.collection, f.source, f.kind, f.id, f.note, f.added_at, t.title, t.url,
       coalesce(f.rank_at_add, /* rank then */) AS rank_at_add, /* all progress */
FROM app.favorite f LEFT JOIN
/* titles */ ON true
WHERE /* in the collection */
ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
