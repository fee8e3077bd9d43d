-- The keys whose documents are missing, have vanished, or must be fetched again (their hash consists of zeros).
-- $1 keys bigint[], $2 scope text[] (endpoint)
SELECT k.key
FROM unnest($1::bigint[]) AS k (key)
-- OFFSET 0 forces one look-up for each key.
LEFT JOIN LATERAL (
  SELECT vanished_at IS NULL AND substr(content_hash, 1, 32) <> decode(repeat('00', 32), 'hex') AS is_live
  FROM pokeapi.resource
  WHERE endpoint = ($2::text[])[1] AND id = k.key OFFSET 0
) r ON true
WHERE r.is_live IS NOT TRUE
ORDER BY k.key
