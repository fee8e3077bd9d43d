-- Stores the counters of items whose documents are stored, unless the stored counters are newer. Rows are written in
-- the order of keys, so that writers never deadlock. Returns the written keys.
-- $1 keys bigint[], $2 counter hashes bigint[], $3 counters text[], $4 scope text[] (kind, …), $5 times bigint[]
WITH item AS MATERIALIZED (
  SELECT ($4::text[])[1] AS kind, i.mal_id, i.counter_hash, i.counters::jsonb AS raw,
         sync.request_time(i.requested) AS requested_at
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $5::bigint[]) AS i (mal_id, counter_hash, counters, requested)
  -- OFFSET 0 forces one look-up for each item.
  JOIN LATERAL (
    SELECT requested_at FROM jikan.media WHERE kind = ($4::text[])[1] AND mal_id = i.mal_id OFFSET 0
  ) m ON true
  LEFT JOIN LATERAL (
    SELECT requested_at FROM jikan.media_counters WHERE kind = ($4::text[])[1] AND mal_id = i.mal_id OFFSET 0
  ) c ON true
  WHERE NOT sync.is_newer(greatest(m.requested_at, c.requested_at), sync.request_time(i.requested))
), derived AS (
/* columns */
), written AS (
  INSERT INTO jikan.media_counters AS c
    (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, requested_at, changed_at)
  SELECT kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, requested_at,
         clock_timestamp()
  FROM derived
  ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET
    score = excluded.score, scored_by = excluded.scored_by, rank = excluded.rank, popularity = excluded.popularity,
    members = excluded.members, favorites = excluded.favorites, counter_hash = excluded.counter_hash,
    requested_at = excluded.requested_at, changed_at = sync.write_time(excluded.mal_id)
  -- Another writer may have stored a newer row after the filter above.
  WHERE NOT sync.is_newer(c.requested_at, excluded.requested_at)
  RETURNING c.mal_id AS key
)
SELECT key FROM written
