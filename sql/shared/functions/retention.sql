CREATE OR REPLACE FUNCTION sync.forget_stream(of_source text, of_stream text) RETURNS void
LANGUAGE sql
AS $$
  DELETE FROM sync.publication WHERE source = of_source AND list = of_stream;
  DELETE FROM sync.quarantine WHERE source = of_source AND stream = of_stream;
  DELETE FROM sync.stream_state WHERE source = of_source AND stream = of_stream;
  DELETE FROM sync.walk WHERE source = of_source AND stream = of_stream;
  DELETE FROM sync.list_state WHERE source = of_source AND stream = of_stream;
$$;
COMMENT ON FUNCTION sync.forget_stream IS 'Stable. Deletes the data of a stream that no longer runs, except its runs. Retention deletes the runs later.';

-- Does not delete running runs, runs of stored walks, or runs that published a current list. For each existing stream,
-- also keeps the last run, the last complete run, and all runs of the walk that the last complete run finished.
CREATE OR REPLACE FUNCTION sync.drop_runs(cutoff timestamptz, slice integer) RETURNS bigint
LANGUAGE sql
AS $$
  WITH old AS (
    SELECT r.id FROM sync.run r
    WHERE r.started_at < cutoff AND r.status <> 'running'
      AND (r.id IS DISTINCT FROM (
          SELECT l.id FROM sync.run l WHERE l.source = r.source AND l.stream = r.stream
          ORDER BY l.started_at DESC, l.id DESC LIMIT 1)
        -- The last run of a removed stream is deleted. An index also has no row in stream_state, but its runs have no
        -- walk, so its last run is kept.
        OR r.walk_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM sync.stream_state s WHERE s.source = r.source AND s.stream = r.stream))
      AND NOT EXISTS (
        SELECT FROM sync.stream_state s JOIN sync.run c ON c.id = s.last_complete_run_id
        WHERE s.source = r.source AND s.stream = r.stream AND (c.id = r.id OR c.walk_id = r.walk_id))
      AND NOT EXISTS (SELECT FROM sync.publication p WHERE p.run_id = r.id)
      AND NOT EXISTS (SELECT FROM sync.walk w WHERE w.id = r.walk_id)
    ORDER BY r.started_at LIMIT slice
    FOR UPDATE OF r SKIP LOCKED
  ), dropped AS (
    DELETE FROM sync.run r USING old WHERE r.id = old.id RETURNING 1
  )
  SELECT count(*) FROM dropped;
$$;
COMMENT ON FUNCTION sync.drop_runs IS 'Deletes at most slice runs that began before the cutoff and are no longer needed. Returns the number of deleted runs.';

CREATE OR REPLACE FUNCTION sync.drop_quarantine(cutoff timestamptz, slice integer) RETURNS bigint
LANGUAGE sql
AS $$
  WITH old AS (
    SELECT q.source, q.stream, q.item, q.reason
    FROM sync.quarantine q
    JOIN sync.stream_state s ON s.source = q.source AND s.stream = q.stream
    JOIN sync.run r ON r.id = s.last_complete_run_id
    WHERE q.last_at < cutoff
      AND q.last_at < (SELECT min(a.started_at) FROM sync.run a WHERE a.id = r.id OR a.walk_id = r.walk_id)
    ORDER BY q.last_at LIMIT slice
    FOR UPDATE OF q SKIP LOCKED
  ), dropped AS (
    DELETE FROM sync.quarantine q USING old
    WHERE (q.source, q.stream, q.item, q.reason) = (old.source, old.stream, old.item, old.reason) RETURNING 1
  )
  SELECT count(*) FROM dropped;
$$;
COMMENT ON FUNCTION sync.drop_quarantine IS 'Deletes at most slice items from quarantine that were last received before the cutoff, and that a later complete walk did not receive. Returns the number of deleted items.';

-- An ended walk is kept for 7 days. An unfinished walk is kept for 14 days after its last page, because a run can
-- resume it for 7 days at most (runs.resume_within). The walk of the current publication is never deleted.
CREATE OR REPLACE FUNCTION sync.drop_walks(slice integer) RETURNS bigint
LANGUAGE sql
AS $$
  UPDATE sync.stream_state s SET walk_id = NULL, cursor = NULL
  FROM (
    SELECT o.source, o.stream FROM sync.stream_state o JOIN sync.walk w ON w.id = o.walk_id
    WHERE coalesce(o.lease_expires_at < clock_timestamp(), true)
      AND clock_timestamp() - interval '14 days'
        > coalesce((SELECT max(p.fetched_at) FROM sync.walk_page p WHERE p.walk_id = w.id), w.started_at)
    FOR UPDATE OF o SKIP LOCKED
  ) old
  WHERE s.source = old.source AND s.stream = old.stream;
  WITH old AS (
    SELECT w.id FROM sync.walk w
    WHERE coalesce(
        w.finished_at + interval '7 days',
        (SELECT max(p.fetched_at) FROM sync.walk_page p WHERE p.walk_id = w.id) + interval '14 days',
        w.started_at + interval '14 days') < clock_timestamp()
      AND NOT EXISTS (SELECT FROM sync.stream_state s WHERE s.walk_id = w.id)
      AND NOT EXISTS (
        SELECT FROM sync.publication p JOIN sync.run r ON r.id = p.run_id
        WHERE p.source = w.source AND p.list = w.stream AND r.walk_id = w.id)
    -- The limit is low, because each walk is deleted with all its pages.
    ORDER BY w.id LIMIT least(slice, 20)
    FOR UPDATE OF w SKIP LOCKED
  ), dropped AS (
    DELETE FROM sync.walk w USING old WHERE w.id = old.id RETURNING 1
  )
  SELECT count(*) FROM dropped;
$$;
COMMENT ON FUNCTION sync.drop_walks IS 'Deletes at most slice walks with their pages. A walk is kept while a run can resume it or a current publication uses it. Returns the number of deleted walks.';

CREATE OR REPLACE FUNCTION sync.drop_old(slice integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
AS $$
DECLARE
  kept    record;
  source  text;
  dropped bigint;
  total   bigint := sync.drop_walks(slice);
BEGIN
  FOR kept IN
    SELECT r.name, clock_timestamp() - make_interval(days => r.kept_days) AS cutoff
    FROM sync.retention r WHERE r.kept_days IS NOT NULL ORDER BY r.name
  LOOP
    total := total + CASE kept.name
      WHEN 'runs' THEN sync.drop_runs(kept.cutoff, slice)
      WHEN 'quarantine' THEN sync.drop_quarantine(kept.cutoff, slice)
      ELSE 0
    END;
    FOR source IN
      SELECT split_part(f.folder, '/', 2) FROM sync.function_set f
      WHERE f.comments ? (split_part(f.folder, '/', 2) || '.drop_old(text, timestamp with time zone, integer)')
      ORDER BY f.folder
    LOOP
      EXECUTE format('SELECT %I.drop_old($1, $2, $3)', source) INTO dropped USING kept.name, kept.cutoff, slice;
      total := total + dropped;
    END LOOP;
  END LOOP;
  RETURN total;
END $$;
COMMENT ON FUNCTION sync.drop_old IS 'Stable. Deletes rows that are older than sync.retention allows, at most slice rows of each kind. Returns the number of deleted rows. Call the function again until it returns 0.';

REVOKE EXECUTE ON FUNCTION sync.drop_old FROM PUBLIC;
