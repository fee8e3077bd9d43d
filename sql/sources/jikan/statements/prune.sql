-- Deletes counters, links and titles of items that have no document. If a later page contains one of
-- these items, its commit writes the item's rows again.
-- $1 keys bigint[], $2 scope text[] (kind, …)
WITH orphan AS MATERIALIZED (
  SELECT key FROM unnest($1::bigint[]) AS key
  WHERE NOT EXISTS (SELECT FROM jikan.media WHERE kind = ($2::text[])[1] AND mal_id = key)
), links AS (
  DELETE FROM jikan.media_links l USING orphan WHERE l.kind = ($2::text[])[1] AND l.mal_id = orphan.key
), titles AS (
  DELETE FROM jikan.media_title t USING orphan WHERE t.kind = ($2::text[])[1] AND t.mal_id = orphan.key
)
DELETE FROM jikan.media_counters c USING orphan WHERE c.kind = ($2::text[])[1] AND c.mal_id = orphan.key
