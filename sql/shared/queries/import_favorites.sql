-- Adds favorites, or completes stored favorites. A stored note stays. A stored time of adding is replaced if the file's
-- time is earlier. Status, score, progress, dates and tags are replaced together, if the file is newer or the favorite
-- has none of these values. An incomplete record replaces only the values that it contains.
-- Returns the numbers of added items, changed items, and items that are not mirrored.
-- $1 collections, $2 sources, $3 kinds, $4 ids, $5 notes, $6 times of adding (NULL for the current time), $7
-- ranks at these times, $8 statuses, $9 scores, $10 episodes, $11 chapters, $12 volumes, $13 and $14 dates, $15 tags,
-- $16 whether the file is newer, $17 1 for a complete record
WITH spelling AS MATERIALIZED (
  -- Names are compared in normalized form, because an earlier version stored decomposed names (NFD) from macOS.
  SELECT DISTINCT collection, normalize(collection) AS name FROM app.favorite
), record AS (
  -- If a file contains an item twice, its first note, first progress and earliest time are used.
  SELECT r.collection, r.source, r.kind, r.id,
         (array_agg(r.note ORDER BY r.ordinal) FILTER (WHERE r.note IS NOT NULL))[1] AS note,
         min(coalesce(r.added_at::timestamptz, statement_timestamp() + r.ordinal * interval '1 microsecond'))
           AS added_at,
         bool_and(r.added_at IS NULL) AS is_new,
         (array_agg(r.rank ORDER BY r.added_at::timestamptz, r.ordinal))[1]::integer AS rank,
         (array_agg(r.status ORDER BY r.ordinal))[1] AS status,
         (array_agg(r.score ORDER BY r.ordinal))[1]::smallint AS score,
         (array_agg(r.episodes ORDER BY r.ordinal))[1]::integer AS episodes,
         (array_agg(r.chapters ORDER BY r.ordinal))[1]::integer AS chapters,
         (array_agg(r.volumes ORDER BY r.ordinal))[1]::integer AS volumes,
         (array_agg(r.started ORDER BY r.ordinal))[1] AS started,
         (array_agg(r.finished ORDER BY r.ordinal))[1] AS finished,
         (array_agg(r.tags ORDER BY r.ordinal))[1] AS tags, (array_agg(r.whole ORDER BY r.ordinal))[1] = 1 AS is_whole
  FROM (
    SELECT coalesce((
      -- add_favorite.sql chooses the spelling of the collection in the same way.
      SELECT s.collection FROM (SELECT normalize(f.collection) AS name OFFSET 0) n JOIN spelling s USING (name)
      LEFT JOIN app.favorite c ON (c.collection, c.source, c.kind, c.id) = (s.collection, f.source, f.kind, f.id)
      ORDER BY c.id IS NULL, s.collection <> f.collection, s.collection LIMIT 1
    ), normalize(f.collection)) AS collection, f.source, f.kind, f.id, f.note, f.added_at, f.rank, f.status, f.score,
           f.episodes, f.chapters, f.volumes, f.started, f.finished, f.tags, f.whole, f.ordinal
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::text[],
                $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::text[],
                $17::bigint[])
      WITH ORDINALITY AS f (collection, source, kind, id, note, added_at, rank, status, score, episodes, chapters,
                            volumes, started, finished, tags, whole, ordinal)
  ) r
  GROUP BY r.collection, r.source, r.kind, r.id
), found AS MATERIALIZED (
  SELECT f.collection, f.source, f.kind, f.id, f.note, f.added_at, f.is_new, f.rank, p.*, t.rank AS rank_now, t.state
  FROM record f LEFT JOIN app.favorite s ON NOT f.is_whole
    AND (s.collection, s.source, s.kind, s.id) = (f.collection, f.source, f.kind, f.id)
  CROSS JOIN LATERAL (
    SELECT coalesce(f.status, s.status) AS status, coalesce(f.score, s.my_score) AS score,
           coalesce(f.episodes, s.episodes_watched) AS episodes, coalesce(f.chapters, s.chapters_read) AS chapters,
           coalesce(f.volumes, s.volumes_read) AS volumes, coalesce(f.started, s.started_on) AS started,
           coalesce(f.finished, s.finished_on) AS finished, coalesce(f.tags, s.tags) AS tags
  ) p LEFT JOIN LATERAL (
    -- OFFSET 0 makes PostgreSQL look up single items instead of reading the whole view.
    SELECT v.rank, v.state FROM app.item_of(f.source, f.kind, f.id) v OFFSET 0
  ) t ON true
), written AS (
  INSERT INTO app.favorite AS f (
    collection, source, kind, id, note, added_at, rank_at_add, status, my_score, episodes_watched, chapters_read,
    volumes_read, started_on, finished_on, tags)
  SELECT f.collection, f.source, f.kind, f.id, f.note, f.added_at,
         coalesce(f.rank, CASE WHEN f.is_new THEN f.rank_now ELSE (
           SELECT h.value::integer FROM app.history_of(f.source, f.kind, f.id) h
           WHERE h.what = 'rank'
             AND (h.valid_to IS NULL OR h.valid_to > f.added_at)
           ORDER BY h.valid_from LIMIT 1
         ) END), f.status, f.score, f.episodes,
         f.chapters, f.volumes, f.started, f.finished, f.tags
  FROM found f ORDER BY f.collection, f.source, f.kind, f.id
  ON CONFLICT (collection, source, kind, id) DO UPDATE
  SET note = coalesce(f.note, excluded.note), added_at = least(f.added_at, excluded.added_at),
      rank_at_add = CASE WHEN excluded.added_at < f.added_at THEN excluded.rank_at_add ELSE f.rank_at_add END,
      (status, my_score, episodes_watched, chapters_read, volumes_read, started_on, finished_on, tags) = (
        SELECT p.* FROM (
          SELECT $16::boolean OR num_nonnulls(
            f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on, f.tags
          ) = 0 AS is_replaced
        ) c CROSS JOIN LATERAL (
          SELECT excluded.status, excluded.my_score, excluded.episodes_watched, excluded.chapters_read,
                 excluded.volumes_read, excluded.started_on, excluded.finished_on, excluded.tags WHERE is_replaced
          UNION ALL
          SELECT f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on,
                 f.tags WHERE NOT is_replaced
        ) p)
  WHERE (f.note IS NULL AND excluded.note IS NOT NULL) OR excluded.added_at < f.added_at
     OR (($16 OR num_nonnulls(f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on,
                              f.finished_on, f.tags) = 0)
         AND (f.status, f.my_score, f.episodes_watched, f.chapters_read, f.volumes_read, f.started_on, f.finished_on,
              f.tags) IS DISTINCT FROM (
           excluded.status, excluded.my_score, excluded.episodes_watched, excluded.chapters_read,
           excluded.volumes_read, excluded.started_on, excluded.finished_on, excluded.tags))
  RETURNING xmax = 0 AS is_new
)
SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new),
       (SELECT count(*) FROM found WHERE state IS NULL)
FROM written
