-- The number of entries of a published list, and a digest of their keys and positions.
-- $1 scope text[]
SELECT count(*), sha256(coalesce(
  array_send(array_agg(key ORDER BY position, key)) || array_send(array_agg(position ORDER BY position, key)), ''))
FROM (/* published list */) AS published
