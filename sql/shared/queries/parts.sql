-- What the statements of this folder have in common, and what the program chooses from.

/* titles: */
-- What f, with source, kind and id, is joined with. OFFSET 0 makes the view look up one item at a time.
LATERAL (
  SELECT v.title, v.title_japanese, v.type, v.score, v.rank, v.url, v.state FROM app.favorite_item v
  WHERE v.source = f.source AND v.kind = f.kind AND v.id = f.id OFFSET 0
) t
/* rank then: */
-- The rank of f when it was added, as the history has it; else the first one that it has.
(
  SELECT h.value::integer FROM app.favorite_history h
  WHERE h.source = f.source AND h.kind = f.kind AND h.id = f.id AND h.what = 'rank'
    AND (h.valid_to IS NULL OR h.valid_to > f.added_at)
  ORDER BY h.valid_from LIMIT 1
)
/* spelling: */
-- The names of the collections as they are stored, and as they are compared. An earlier version stored the decomposed
-- names that macOS passes (NFD), whose bytes differ from those of composed names.
spelling AS MATERIALIZED (SELECT DISTINCT collection, normalize(collection) AS name FROM app.favorite)
/* collection of f: */
-- The stored spelling of f's collection, preferably the one in which f is stored. Needs spelling.
coalesce((
  -- OFFSET 0: the name is made once, and not for each spelling.
  SELECT s.collection FROM (SELECT normalize(f.collection) AS name OFFSET 0) n JOIN spelling s USING (name)
  LEFT JOIN app.favorite c ON (c.collection, c.source, c.kind, c.id) = (s.collection, f.source, f.kind, f.id)
  ORDER BY c.id IS NULL, s.collection <> f.collection, s.collection LIMIT 1
), normalize(f.collection))
/* in the collection: */
($1::text IS NULL OR normalize(f.collection) = normalize($1))
/* progress of f: */
f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on, f.tags
/* progress is replaced: */ ($16::boolean OR num_nonnulls(/* progress of f */) = 0)
/* all progress: */ /* progress of f */
/* no progress: */
NULL::text AS status, NULL::smallint AS my_score, NULL::integer AS episodes_watched, NULL::integer AS chapters_read,
NULL::integer AS volumes_read, NULL::text AS started_on, NULL::text AS finished_on, NULL::text AS tags
/* of any status: */ $8::text IS NULL
/* of one status: */ f.status = $8
/* whole run: */
-- All that the ledger has of a run.
id, invocation_id, source, stream, status, started_at, finished_at, pages, requests, retries, not_modified,
identical, rows_seen, inserted, updated, documents_updated, unchanged, duplicates, quarantined, repaired,
vanished, fresh, permits_waited, waited_ms, bytes, wal_bytes, not_understood, certificate, error, warning
/* notes: */ f.note
/* no notes: */ NULL::text AS note
