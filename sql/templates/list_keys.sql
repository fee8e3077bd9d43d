-- The number of entries of a published list, and a digest of their keys, positions and marks.
-- $1 scope text[]
SELECT count(*), sha256(coalesce(
  array_send(array_agg(key ORDER BY position, key))
    || array_send(array_agg(/* signed position */ ORDER BY position, key)), ''))
FROM (/* published list */) AS published
