-- The titles of a studio or an author, most popular first.
-- $1 kind, $2 facet: studios or authors, $3 name, $4 mal_id to omit, or NULL, $5 limit, $6 titles to skip
WITH made AS (
  SELECT DISTINCT l.mal_id
  FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
        FROM jikan.media_links i WHERE i.kind = $1 AND i.names @> ARRAY[$3::text]) l
  WHERE l.facet = $2 AND l.name = $3
)
SELECT m.kind, m.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.episodes, nullif(c.score, 0) AS score,
       c.rank, c.members, m.image_url, m.started_at, count(*) OVER () AS page_total
FROM made d
JOIN jikan.media m ON m.kind = $1 AND m.mal_id = d.mal_id AND m.vanished_at IS NULL
LEFT JOIN jikan.media_counters c ON c.kind = $1 AND c.mal_id = d.mal_id
WHERE $4::bigint IS NULL OR d.mal_id <> $4
ORDER BY c.members DESC NULLS LAST, d.mal_id LIMIT $5 OFFSET $6
