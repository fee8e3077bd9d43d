-- The functions that create and drop partitions run as their owner, because syncctl_worker cannot create tables.

CREATE OR REPLACE FUNCTION jikan.ranking_history_partition(moment timestamptz) RETURNS name
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ('ranking_history_' || to_char(moment AT TIME ZONE 'UTC', 'YYYY_MM'))::name
$$;
COMMENT ON FUNCTION jikan.ranking_history_partition IS 'Name of the partition for a time; names are in the order of the months.';

CREATE OR REPLACE FUNCTION jikan.attach_ranking_history_partition(moment timestamptz) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  partition name := jikan.ranking_history_partition(moment);
  month     timestamptz := date_trunc('month', moment);
BEGIN
  IF to_regclass(format('jikan.%I', partition)) IS NOT NULL THEN
    RETURN;
  END IF;
  -- ATTACH PARTITION needs this lock. While this session waits for it, another session can create the partition.
  LOCK TABLE ONLY jikan.ranking_history IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(format('jikan.%I', partition)) IS NOT NULL THEN
    RETURN;
  END IF;
  -- The table is created first and then attached, because creating it as a partition would block all readers.
  EXECUTE format('CREATE TABLE jikan.%I (LIKE jikan.ranking_history INCLUDING COMMENTS)', partition);
  EXECUTE format('COMMENT ON TABLE jikan.%I IS %L', partition, 'Rows of jikan.ranking_history that begin in this month.');
  EXECUTE format('ALTER TABLE jikan.ranking_history ATTACH PARTITION jikan.%I FOR VALUES FROM (%L) TO (%L)',
    partition, month, month + interval '1 month');
END $$;
COMMENT ON FUNCTION jikan.attach_ranking_history_partition IS 'Creates the partition of jikan.ranking_history for any time, unless the partition exists. Runs with the rights of the caller.';

CREATE OR REPLACE FUNCTION jikan.make_ranking_history_partition(moment timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  month   timestamptz := date_trunc('month', moment);
  current timestamptz := date_trunc('month', clock_timestamp());
BEGIN
  IF to_regclass(format('jikan.%I', jikan.ranking_history_partition(moment))) IS NOT NULL THEN
    RETURN;
  END IF;
  IF NOT coalesce(month BETWEEN current - interval '1 month' AND current + interval '2 months', false) THEN
    RAISE EXCEPTION 'no month of the history is made for %: it is not one of the last, this and the next two', moment
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM jikan.attach_ranking_history_partition(moment);
END $$;
COMMENT ON FUNCTION jikan.make_ranking_history_partition IS 'Creates the partition of jikan.ranking_history for a time in the last month, this month or the next two months, unless the partition exists.';

CREATE OR REPLACE FUNCTION jikan.drop_ranking_history() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
AS $$
DECLARE
  cutoff  timestamptz := (SELECT date_trunc('month', clock_timestamp() - make_interval(days => r.kept_days))
                          FROM jikan.ranking_retention r);
  old     name;
  dropped integer := 0;
BEGIN
  -- If the retention has no limit, the cutoff is null and the query returns no partition.
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'jikan.ranking_history'::regclass AND c.relname < jikan.ranking_history_partition(cutoff)
  ) THEN
    RETURN 0;
  END IF;
  -- The lock comes before the copy, because a publication could otherwise end a row that was already copied.
  LOCK TABLE jikan.ranking_history IN ACCESS EXCLUSIVE MODE;
  PERFORM jikan.attach_ranking_history_partition(cutoff);
  INSERT INTO jikan.ranking_history
    (kind, subtype, filter, mal_id, valid_from, valid_to, position, unread, rank, score, members, favorites)
  SELECT kind, subtype, filter, mal_id, cutoff, valid_to, position, unread, rank, score, members, favorites
  FROM jikan.ranking_history WHERE valid_from < cutoff AND (valid_to IS NULL OR valid_to > cutoff);
  FOR old IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'jikan.ranking_history'::regclass AND c.relname < jikan.ranking_history_partition(cutoff)
  LOOP
    EXECUTE format('DROP TABLE jikan.%I', old);
    dropped := dropped + 1;
  END LOOP;
  -- The last publication before the cutoff was still valid at the cutoff, so the cutoff becomes its time.
  DELETE FROM jikan.ranking_publication p
  WHERE p.published_at < cutoff AND EXISTS (
    SELECT FROM jikan.ranking_publication n
    WHERE (n.kind, n.subtype, n.filter) = (p.kind, p.subtype, p.filter)
      AND n.published_at > p.published_at AND n.published_at <= cutoff);
  UPDATE jikan.ranking_publication SET published_at = cutoff WHERE published_at < cutoff;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION jikan.drop_ranking_history IS 'Drops the months of the history that are older than jikan.ranking_retention allows. Rows that were still valid afterwards are copied into the first month that stays. Returns the number of dropped months.';

REVOKE EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history FROM PUBLIC;

CREATE OR REPLACE FUNCTION jikan.tidy_ranking_history() RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM jikan.drop_ranking_history();
EXCEPTION WHEN lock_not_available THEN
  NULL; -- Another session uses the table. The next publication tries again.
END $$;
COMMENT ON FUNCTION jikan.tidy_ranking_history IS 'Calls jikan.drop_ranking_history. If another session uses the history, the next publication tries again.';

CREATE OR REPLACE FUNCTION jikan.note_ranking(
  of_kind text, of_subtype text, of_filter text, listed bigint[], their_positions integer[], are_unread boolean[],
  ranks integer[], scores numeric[], members integer[], favorites integer[], top integer, run uuid,
  is_consistent boolean
) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  moment timestamptz;
  last jikan.ranking_publication;
  differences bigint;
BEGIN
  -- Drops old partitions before this transaction writes the history, because two publications could otherwise deadlock.
  PERFORM jikan.tidy_ranking_history();
  -- A publication must be later than the last one, even if the clock was set back.
  SELECT p.* INTO last FROM jikan.ranking_publication p
  WHERE p.kind = of_kind AND p.subtype = of_subtype AND p.filter = of_filter
  ORDER BY p.published_at DESC LIMIT 1;
  moment := greatest(clock_timestamp(), last.published_at + interval '1 microsecond');
  PERFORM jikan.make_ranking_history_partition(moment);

  WITH today AS (
    SELECT l.* FROM unnest(listed, their_positions, are_unread, ranks, scores, members, favorites)
      AS l (mal_id, position, unread, rank, score, members, favorites)
  ), noted AS (
    SELECT h.mal_id, h.valid_from, h.position, h.unread, h.rank, h.score FROM jikan.ranking_history h
    WHERE h.kind = of_kind AND h.subtype = of_subtype AND h.filter = of_filter AND h.valid_to IS NULL
  ), difference AS (
    -- Below position `top`, small changes of scores move half of all positions and ranks. These moves are not recorded,
    -- so only the recorded positions and ranks up to `top` are exact.
    SELECT mal_id, t.position, t.unread, t.rank, t.score, t.members, t.favorites, n.valid_from AS noted_from
    FROM today t FULL JOIN noted n USING (mal_id)
    WHERE t.position IS NULL OR n.position IS NULL OR t.unread <> n.unread
       OR t.score IS DISTINCT FROM n.score
       OR ((t.position, t.rank) IS DISTINCT FROM (n.position, n.rank) AND least(t.position, n.position) <= top)
  ), ended AS (
    UPDATE jikan.ranking_history h SET valid_to = moment FROM difference d
    WHERE h.kind = of_kind AND h.subtype = of_subtype AND h.filter = of_filter AND h.valid_to IS NULL
      AND h.mal_id = d.mal_id AND h.valid_from = d.noted_from
  ), added AS (
    INSERT INTO jikan.ranking_history
      (kind, subtype, filter, mal_id, valid_from, position, unread, rank, score, members, favorites)
    SELECT of_kind, of_subtype, of_filter, d.mal_id, moment, d.position, d.unread, d.rank, d.score, d.members, d.favorites
    FROM difference d WHERE d.position IS NOT NULL ORDER BY d.mal_id
  )
  SELECT count(*) INTO differences FROM difference;
  -- The last publication stays valid. sync.run shows that the list was walked again.
  IF differences = 0 AND (last.entries, last.positions, last.consistent) = (cardinality(listed), top, is_consistent) THEN
    RETURN last.published_at;
  END IF;

  INSERT INTO jikan.ranking_publication
    (kind, subtype, filter, published_at, run_id, entries, positions, consistent)
  VALUES (of_kind, of_subtype, of_filter, moment, run, cardinality(listed), top, is_consistent);
  RETURN moment;
END $$;
COMMENT ON FUNCTION jikan.note_ranking IS 'Records the publication of a list in the history. listed contains the mal_ids; their_positions, are_unread, ranks, scores, members and favorites contain their values. Changes of positions and ranks are recorded for the first top positions. Returns the time of the publication, or of the last publication if nothing has changed since.';
