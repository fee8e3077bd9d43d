-- Adds favorites. One that is in its collection already keeps its note and the earlier time. Says how many were new.
-- $1 collections, $2 sources, $3 kinds, $4 ids, $5 notes, $6 times, NULL for now
WITH record AS (
  -- The same item twice in a file is one: with the first note, and the earliest time.
  SELECT r.collection, r.source, r.kind, r.id,
         (array_agg(r.note ORDER BY r.ordinal) FILTER (WHERE r.note IS NOT NULL))[1] AS note,
         min(coalesce(r.added_at::timestamptz, clock_timestamp())) AS added_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
    WITH ORDINALITY AS r (collection, source, kind, id, note, added_at, ordinal)
  GROUP BY r.collection, r.source, r.kind, r.id
), written AS (
  INSERT INTO app.favorite AS f (collection, source, kind, id, note, added_at)
  SELECT collection, source, kind, id, note, added_at FROM record ORDER BY collection, source, kind, id
  ON CONFLICT (collection, source, kind, id) DO UPDATE
  SET note = coalesce(f.note, excluded.note), added_at = least(f.added_at, excluded.added_at)
  WHERE (f.note IS NULL AND excluded.note IS NOT NULL) OR excluded.added_at < f.added_at
  RETURNING xmax = 0 AS is_new
)
SELECT count(*) FROM written WHERE is_new
