-- A slice of the documents in the order of keys, with their stored hashes. The caller hashes the returned texts again.
-- $1 scope text[], $2 after this key bigint (null to begin), $3 limit integer, $4 up to this key bigint (null for all)
SELECT /* key */, d.content_hash, /* counter-hash */ AS counter_hash, (/* document */)::text
FROM (
  SELECT * FROM /* table */ d
  WHERE /* in scope */ AND ($2::bigint IS NULL OR /* after */)
    AND ($4::bigint IS NULL OR /* key */ <= $4)
  ORDER BY /* order */ LIMIT $3::integer
) d /* counters */
ORDER BY /* order */
