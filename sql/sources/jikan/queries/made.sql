-- The titles of a studio or an author, most popular first.
-- $1 kind, $2 facet: studios or authors, $3 name, $4 mal_id to omit, or NULL, $5 limit, $6 titles to skip
WITH made AS (
  SELECT DISTINCT l.mal_id
  FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
        FROM jikan.media_links i
        WHERE i.kind = $1 AND i.names @> ARRAY[$3::text]
          AND (i.kind, i.mal_id) NOT IN (SELECT kind, mal_id FROM jikan.media WHERE vanished_at IS NOT NULL)) l
  WHERE l.facet = $2 AND l.name = $3 AND ($4::bigint IS NULL OR l.mal_id <> $4)
), part AS (
  -- The limit is here, so that titles are looked up only for the returned rows.
  SELECT mal_id, c.score, c.rank, c.members, count(*) OVER () AS total
  FROM made LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
  ORDER BY c.members DESC NULLS LAST, mal_id LIMIT $5 OFFSET $6
)
SELECT $1::text AS kind, p.mal_id, m.title, m.title_english, m.title_japanese, m.type, m.episodes,
       nullif(p.score, 0) AS score, p.rank, p.members, m.image_url, m.started_at, p.total AS page_total
FROM part p LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = p.mal_id
ORDER BY p.members DESC NULLS LAST, p.mal_id
