-- Publishing locks rows in these functions, because Citus cannot lock rows in a part of a statement that reads several
-- machines. All writers lock rows in the order of keys, so that they never deadlock.

CREATE OR REPLACE FUNCTION itunes.lock_absences(of_country text, ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY
  SELECT b.id FROM itunes.lookup_absence b WHERE b.country = of_country AND b.id = ANY (ids) ORDER BY b.id FOR UPDATE;
END $$;
COMMENT ON FUNCTION itunes.lock_absences IS 'Locks the rows of itunes.lookup_absence with these ids, and returns their ids.';

CREATE OR REPLACE FUNCTION itunes.lock_marked(of_country text, gone bigint[], met bigint[], walk_started timestamptz)
RETURNS TABLE (class text, id bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT i.class, i.id FROM itunes.item i
  WHERE i.country = of_country AND (
    i.id = ANY (gone) AND i.vanished_at IS NULL AND NOT sync.is_newer(i.requested_at, walk_started)
    OR i.id = ANY (met) AND i.vanished_at IS NOT NULL)
  ORDER BY itunes.key(i.class, i.id)
  FOR NO KEY UPDATE;
END $$;
COMMENT ON FUNCTION itunes.lock_marked IS 'Locks the items that a walk marks as vanished, or as live again, and returns their keys.';
