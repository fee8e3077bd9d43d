-- How the published lists changed: who stood where, with which rank and score, from when to when.

CREATE TABLE jikan.ranking_history (
  kind       text NOT NULL,
  subtype    text NOT NULL,
  filter     text NOT NULL,
  mal_id     bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to   timestamptz,
  position   integer NOT NULL,
  rank       integer,
  score      numeric,
  members    integer,
  favorites  integer,
  PRIMARY KEY (kind, subtype, filter, mal_id, valid_from)
) PARTITION BY RANGE (valid_from);
-- For the rows that are valid at a time: those that end later, and those that have no end.
CREATE INDEX ranking_history_valid_to ON jikan.ranking_history (kind, subtype, filter, valid_to);
COMMENT ON TABLE  jikan.ranking_history IS 'Entries of the published lists as they were. A row begins when an entry comes in, its rank or score changes, or its position changes within the top positions (see ranking_publication); it ends when the next one begins or the entry leaves. One partition a month.';
COMMENT ON COLUMN jikan.ranking_history.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.ranking_history.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';
COMMENT ON COLUMN jikan.ranking_history.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';
COMMENT ON COLUMN jikan.ranking_history.mal_id IS 'MyAnimeList''s id within the kind.';
COMMENT ON COLUMN jikan.ranking_history.valid_from IS 'When it was published so. At the beginning of what is kept: that time, if it was so before.';
COMMENT ON COLUMN jikan.ranking_history.valid_to IS 'When it was published otherwise, or no more; null while it is so.';
COMMENT ON COLUMN jikan.ranking_history.position IS 'Ordinal in the list at valid_from. Beyond the top positions it may have changed since without a row.';
COMMENT ON COLUMN jikan.ranking_history.rank IS 'MyAnimeList''s own rank; null if unranked.';
COMMENT ON COLUMN jikan.ranking_history.score IS 'Mean score 1–10; null while undetermined.';
COMMENT ON COLUMN jikan.ranking_history.members IS 'People who had it on their list at valid_from; a change of it alone makes no row.';
COMMENT ON COLUMN jikan.ranking_history.favorites IS 'People who had it among their favorites at valid_from; a change of it alone makes no row.';

CREATE TABLE jikan.ranking_publication (
  kind         text NOT NULL,
  subtype      text NOT NULL,
  filter       text NOT NULL,
  published_at timestamptz NOT NULL,
  run_id       uuid NOT NULL,
  entries      integer NOT NULL,
  positions    integer NOT NULL,
  consistent   boolean NOT NULL,
  PRIMARY KEY (kind, subtype, filter, published_at)
);
COMMENT ON TABLE  jikan.ranking_publication IS 'Each time that a list with a history was published. Between two of them the list stood still.';
COMMENT ON COLUMN jikan.ranking_publication.kind IS 'anime or manga.';
COMMENT ON COLUMN jikan.ranking_publication.subtype IS 'The upstream''s type= parameter, e.g. tv; all without one.';
COMMENT ON COLUMN jikan.ranking_publication.filter IS 'The upstream''s filter= parameter, e.g. airing; none without one.';
COMMENT ON COLUMN jikan.ranking_publication.published_at IS 'When; later than every earlier one of the list. Of the oldest that is kept: the beginning of what is kept, if it was published before.';
COMMENT ON COLUMN jikan.ranking_publication.run_id IS 'Run that published it.';
COMMENT ON COLUMN jikan.ranking_publication.entries IS 'Entries of the list.';
COMMENT ON COLUMN jikan.ranking_publication.positions IS 'So many positions from the top are exact in the history at this time.';
COMMENT ON COLUMN jikan.ranking_publication.consistent IS 'False if the list moved during the walk and did not settle.';

-- The two functions that make and drop partitions run as their owner: who writes the mirror may not create tables.

CREATE FUNCTION jikan.ranking_history_partition(moment timestamptz) RETURNS name
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ('ranking_history_' || to_char(moment AT TIME ZONE 'UTC', 'YYYY_MM'))::name
$$;
COMMENT ON FUNCTION jikan.ranking_history_partition IS 'Name of the partition for a time; names are in the order of the months.';

CREATE FUNCTION jikan.make_ranking_history_partition(moment timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  partition name := jikan.ranking_history_partition(moment);
  month     timestamptz := date_trunc('month', moment);
BEGIN
  IF to_regclass(format('jikan.%I', partition)) IS NOT NULL THEN
    RETURN;
  END IF;
  -- The lock that attaching takes; who waits for it sees then what others have made.
  LOCK TABLE ONLY jikan.ranking_history IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(format('jikan.%I', partition)) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Attached and not created as a partition, which would lock all readers out.
  EXECUTE format('CREATE TABLE jikan.%I (LIKE jikan.ranking_history INCLUDING COMMENTS)', partition);
  EXECUTE format('COMMENT ON TABLE jikan.%I IS %L', partition, 'Rows of jikan.ranking_history that begin in this month.');
  EXECUTE format('ALTER TABLE jikan.ranking_history ATTACH PARTITION jikan.%I FOR VALUES FROM (%L) TO (%L)',
    partition, month, month + interval '1 month');
END $$;
COMMENT ON FUNCTION jikan.make_ranking_history_partition IS 'Makes the partition of jikan.ranking_history for a time, if it is not there.';

CREATE FUNCTION jikan.drop_ranking_history(before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
AS $$
DECLARE
  -- Whole months, and never the latest day: a mistake must not take everything.
  cutoff  timestamptz := date_trunc('month', least(before, clock_timestamp() - interval '1 day'));
  old     name;
  dropped integer := 0;
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'jikan.ranking_history'::regclass AND c.relname < jikan.ranking_history_partition(cutoff)
  ) THEN
    RETURN 0;
  END IF;
  -- Before the rows are read, because a publication under way could end one after it was carried forward.
  LOCK TABLE jikan.ranking_history IN ACCESS EXCLUSIVE MODE;
  PERFORM jikan.make_ranking_history_partition(cutoff);
  INSERT INTO jikan.ranking_history
    (kind, subtype, filter, mal_id, valid_from, valid_to, position, rank, score, members, favorites)
  SELECT kind, subtype, filter, mal_id, cutoff, valid_to, position, rank, score, members, favorites
  FROM jikan.ranking_history WHERE valid_from < cutoff AND (valid_to IS NULL OR valid_to > cutoff);
  FOR old IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'jikan.ranking_history'::regclass AND c.relname < jikan.ranking_history_partition(cutoff)
  LOOP
    EXECUTE format('DROP TABLE jikan.%I', old);
    dropped := dropped + 1;
  END LOOP;
  -- The list that was published last before the cutoff stood there at the cutoff.
  DELETE FROM jikan.ranking_publication p
  WHERE p.published_at < cutoff AND EXISTS (
    SELECT FROM jikan.ranking_publication n
    WHERE (n.kind, n.subtype, n.filter) = (p.kind, p.subtype, p.filter)
      AND n.published_at > p.published_at AND n.published_at <= cutoff);
  UPDATE jikan.ranking_publication SET published_at = cutoff WHERE published_at < cutoff;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION jikan.drop_ranking_history IS 'Drops the months that ended before a time; what is still valid then is carried forward. Gives the number of months dropped.';

REVOKE EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history FROM PUBLIC;

CREATE FUNCTION jikan.note_ranking(
  of_kind text, of_subtype text, of_filter text, listed bigint[], top integer, retention interval, run uuid,
  is_consistent boolean) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  moment timestamptz;
BEGIN
  -- While this transaction has no lock on the history that another one could wait for.
  IF retention IS NOT NULL THEN
    BEGIN
      PERFORM jikan.drop_ranking_history(clock_timestamp() - retention);
    EXCEPTION WHEN lock_not_available THEN
      NULL; -- Somebody is at work on it; the next publication tries again.
    END;
  END IF;
  -- Later than before, even if the clock was set back.
  moment := greatest(clock_timestamp(), (
    SELECT max(p.published_at) + interval '1 microsecond' FROM jikan.ranking_publication p
    WHERE p.kind = of_kind AND p.subtype = of_subtype AND p.filter = of_filter));
  PERFORM jikan.make_ranking_history_partition(moment);

  WITH today AS (
    SELECT l.mal_id, l.position::integer, nullif(c.rank, 0) AS rank, nullif(c.score, 0) AS score, c.members, c.favorites
    FROM unnest(listed) WITH ORDINALITY AS l (mal_id, position)
    LEFT JOIN jikan.media_counters c ON c.kind = of_kind AND c.mal_id = l.mal_id
  ), noted AS (
    SELECT h.mal_id, h.valid_from, h.position, h.rank, h.score FROM jikan.ranking_history h
    WHERE h.kind = of_kind AND h.subtype = of_subtype AND h.filter = of_filter AND h.valid_to IS NULL
  ), difference AS (
    -- What is noted within the top is exact, so comparing with it is comparing with the last publication.
    SELECT mal_id, t.position, t.rank, t.score, t.members, t.favorites, n.valid_from AS noted_from
    FROM today t FULL JOIN noted n USING (mal_id)
    WHERE t.position IS NULL OR n.position IS NULL
       OR t.rank IS DISTINCT FROM n.rank OR t.score IS DISTINCT FROM n.score
       OR (t.position <> n.position AND least(t.position, n.position) <= top)
  ), ended AS (
    UPDATE jikan.ranking_history h SET valid_to = moment FROM difference d
    WHERE h.kind = of_kind AND h.subtype = of_subtype AND h.filter = of_filter AND h.valid_to IS NULL
      AND h.mal_id = d.mal_id AND h.valid_from = d.noted_from
  )
  INSERT INTO jikan.ranking_history
    (kind, subtype, filter, mal_id, valid_from, position, rank, score, members, favorites)
  SELECT of_kind, of_subtype, of_filter, d.mal_id, moment, d.position, d.rank, d.score, d.members, d.favorites
  FROM difference d WHERE d.position IS NOT NULL ORDER BY d.mal_id;

  INSERT INTO jikan.ranking_publication
    (kind, subtype, filter, published_at, run_id, entries, positions, consistent)
  VALUES (of_kind, of_subtype, of_filter, moment, run, cardinality(listed), top, is_consistent);
  RETURN moment;
END $$;
COMMENT ON FUNCTION jikan.note_ranking IS 'Notes in the history that a list was published: listed holds its mal_ids in order, top is the number of positions whose changes are noted, retention how long the history is kept (null: for ever). Gives the time of the publication.';
