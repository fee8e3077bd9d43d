-- Stores counters that differ, of items whose documents do not: the document is neither sent nor read. Sorted by key so
-- that two writers never deadlock. Rows that were written after the items were requested are newer, and stay.
-- Returns the keys that were written.
-- $1 keys bigint[], $2 counter hashes bigint[], $3 counters text[], $4 scope text[] (kind, …),
-- $5 seconds since the items were requested
WITH item AS MATERIALIZED (
  SELECT ($4::text[])[1] AS kind, i.mal_id, i.counter_hash, i.counters::jsonb AS raw
  FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS i (mal_id, counter_hash, counters)
  -- One look-up for each item, as in the comparison.
  JOIN LATERAL (
    SELECT changed_at FROM jikan.media WHERE kind = ($4::text[])[1] AND mal_id = i.mal_id OFFSET 0
  ) m ON true
  LEFT JOIN LATERAL (
    SELECT changed_at FROM jikan.media_counters WHERE kind = ($4::text[])[1] AND mal_id = i.mal_id OFFSET 0
  ) c ON true
  WHERE (greatest(m.changed_at, c.changed_at) > transaction_timestamp() - make_interval(secs => $5)) IS NOT TRUE
), derived AS (
/* columns */
)
INSERT INTO jikan.media_counters AS c
  (kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, changed_at)
SELECT kind, mal_id, score, scored_by, rank, popularity, members, favorites, counter_hash, clock_timestamp()
FROM derived
ORDER BY mal_id
ON CONFLICT (kind, mal_id) DO UPDATE SET
  score = excluded.score, scored_by = excluded.scored_by, rank = excluded.rank, popularity = excluded.popularity,
  members = excluded.members, favorites = excluded.favorites, counter_hash = excluded.counter_hash,
  changed_at = clock_timestamp()
-- For the row of a faster writer.
WHERE (c.changed_at > transaction_timestamp() - make_interval(secs => $5)) IS NOT TRUE
RETURNING c.mal_id AS key
