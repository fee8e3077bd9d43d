-- A list that is published unchanged writes nothing: what was published last goes on being what holds.

CREATE OR REPLACE FUNCTION jikan.note_ranking(
  of_kind text, of_subtype text, of_filter text, listed bigint[], top integer, retention interval, run uuid,
  is_consistent boolean) RETURNS timestamptz
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  moment timestamptz;
  last jikan.ranking_publication;
  differences bigint;
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
  SELECT p.* INTO last FROM jikan.ranking_publication p
  WHERE p.kind = of_kind AND p.subtype = of_subtype AND p.filter = of_filter
  ORDER BY p.published_at DESC LIMIT 1;
  moment := greatest(clock_timestamp(), last.published_at + interval '1 microsecond');
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
  ), added AS (
    INSERT INTO jikan.ranking_history
      (kind, subtype, filter, mal_id, valid_from, position, rank, score, members, favorites)
    SELECT of_kind, of_subtype, of_filter, d.mal_id, moment, d.position, d.rank, d.score, d.members, d.favorites
    FROM difference d WHERE d.position IS NOT NULL ORDER BY d.mal_id
  )
  SELECT count(*) INTO differences FROM difference;
  -- What was published last holds for today too, and the ledger knows of the run.
  IF differences = 0 AND (last.entries, last.positions, last.consistent) = (cardinality(listed), top, is_consistent) THEN
    RETURN last.published_at;
  END IF;

  INSERT INTO jikan.ranking_publication
    (kind, subtype, filter, published_at, run_id, entries, positions, consistent)
  VALUES (of_kind, of_subtype, of_filter, moment, run, cardinality(listed), top, is_consistent);
  RETURN moment;
END $$;
COMMENT ON FUNCTION jikan.note_ranking IS 'Notes in the history that a list was published: listed holds its mal_ids in order, top is the number of positions whose changes are noted, retention how long the history is kept (null: for ever). Gives the time of the publication that holds: this one, or an earlier one that was the same.';
COMMENT ON TABLE jikan.ranking_publication IS 'Each time that a list with a history was published and differed from what was published before. Between two of them the list stood still.';
