-- The number of entries of the published lists, and a digest of their keys, positions, marks and lists.
-- $1 scope text[]
SELECT count(*), sha256(convert_to(coalesce(
  string_agg(concat_ws(' ', list, key, /* signed position */), E'\n' ORDER BY list, position, key), ''), 'UTF8'))
FROM (/* published list */) AS published
