CREATE OR REPLACE FUNCTION jikan.keep_order(
  of_kind text, of_subtype text, of_filter text, listed bigint[], their_positions integer[], are_unread boolean[],
  their_ranks integer[]
) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  last timestamptz := (
    SELECT max(taken_at) FROM jikan.published_order
    WHERE kind = of_kind AND subtype = of_subtype AND filter = of_filter);
  signed integer[] := (
    SELECT array_agg(CASE WHEN is_unread THEN -position ELSE position END ORDER BY n)
    FROM unnest(their_positions, are_unread) WITH ORDINALITY AS l (position, is_unread, n)
    HAVING bool_or(is_unread OR position <> n));
BEGIN
  IF EXISTS (
    SELECT FROM jikan.published_order
    WHERE kind = of_kind AND subtype = of_subtype AND filter = of_filter AND taken_at = last
      AND mal_ids = listed AND positions IS NOT DISTINCT FROM signed AND ranks IS NOT DISTINCT FROM their_ranks
  ) THEN
    RETURN;
  END IF;
  -- A publication must be later than the last one, even if the clock was set back.
  INSERT INTO jikan.published_order (kind, subtype, filter, taken_at, mal_ids, positions, ranks)
  VALUES (of_kind, of_subtype, of_filter, greatest(clock_timestamp(), last + interval '1 microsecond'), listed,
          signed, their_ranks);
  -- A replaced order stays for a day, because a user who lists it can still request its next pages.
  DELETE FROM jikan.published_order o
  WHERE o.kind = of_kind AND o.subtype = of_subtype AND o.filter = of_filter AND EXISTS (
    SELECT FROM jikan.published_order n
    WHERE n.kind = o.kind AND n.subtype = o.subtype AND n.filter = o.filter AND n.taken_at > o.taken_at
      AND n.taken_at < statement_timestamp() - interval '1 day');
END $$;
COMMENT ON FUNCTION jikan.keep_order IS 'Stores the order of a published list. listed contains the mal_ids in order; their_positions, are_unread and their_ranks contain the position, the mark and the MyAnimeList rank of each. Orders that were replaced more than a day ago are deleted.';
