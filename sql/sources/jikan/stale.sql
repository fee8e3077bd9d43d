-- Documents that another version of the mapping has stored, with today's counters, in the order of keys, and locked for
-- being written anew. The last byte of a content hash is the version.
-- $1 scope text[] (kind), $2 version integer, $3 behind this key bigint, $4 at most so many integer
SELECT m.mal_id, jikan.with_counters(m.raw, jsonb_build_object(
  'score', c.score, 'scored', c.score, 'scored_by', c.scored_by, 'rank', c.rank, 'popularity', c.popularity,
  'members', c.members, 'favorites', c.favorites))::text
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = ($1::text[])[1] AND m.mal_id > $3::bigint
  AND get_byte(m.content_hash, length(m.content_hash) - 1) <> $2::integer
ORDER BY m.mal_id
LIMIT $4::integer
FOR NO KEY UPDATE OF m
