-- The keys without a live document in the mirror, or with one that was noted to be fetched again, in order.
-- $1 keys bigint[], $2 scope text[] (endpoint)
SELECT k.key
FROM unnest($1::bigint[]) AS k (key)
-- One look-up for each key, as in the comparison.
LEFT JOIN LATERAL (
  SELECT vanished_at IS NULL AND substr(content_hash, 1, 32) <> decode(repeat('00', 32), 'hex') AS is_live
  FROM pokeapi.resource
  WHERE endpoint = ($2::text[])[1] AND id = k.key OFFSET 0
) r ON true
WHERE r.is_live IS NOT TRUE
ORDER BY k.key
