-- What the statements of this folder have in common, and what the program chooses from.

/* titles: */
-- What f, with source, kind and id, is joined with. OFFSET 0 makes the view look up one item at a time.
LATERAL (
  SELECT v.title, v.title_japanese, v.type, v.score FROM app.favorite_item v
  WHERE v.source = f.source AND v.kind = f.kind AND v.id = f.id OFFSET 0
) t
/* whole run: */
-- All that the ledger has of a run.
id, invocation_id, source, stream, status, started_at, finished_at, pages, requests, retries, not_modified,
identical, rows_seen, inserted, updated, documents_updated, unchanged, duplicates, quarantined, repaired,
vanished, fresh, permits_waited, waited_ms, bytes, wal_bytes, certificate, error, warning
/* notes: */ f.note
/* no notes: */ NULL::text AS note
