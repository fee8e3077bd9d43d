-- The studios of anime or the authors of manga, with their numbers of titles in the mirror. If a maker has several ids,
-- the name is one maker, as in jikan.slice.
-- $1 kind, $2 facet: studios or authors, $3 the only name, or NULL, $4 order: titles, score, members or name, $5 limit,
-- $6 makers to skip
WITH made AS (
  SELECT DISTINCT l.name COLLATE "default" AS name, l.mal_id
  FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
        FROM jikan.media_links i WHERE i.kind = $1 AND ($3::text IS NULL OR i.names @> ARRAY[$3])) l
  WHERE l.facet = $2 AND ($3 IS NULL OR l.name = $3)
), maker AS (
  SELECT d.name, count(*) AS titles, round(avg(nullif(c.score, 0)), 2) AS score,
         coalesce(sum(c.members), 0)::bigint AS members, min(nullif(c.rank, 0)) AS rank,
         (array_agg(d.mal_id ORDER BY c.members DESC NULLS LAST, d.mal_id))[1] AS mal_id
  FROM made d
  JOIN jikan.media m ON m.kind = $1 AND m.mal_id = d.mal_id AND m.vanished_at IS NULL
  LEFT JOIN jikan.media_counters c ON c.kind = $1 AND c.mal_id = d.mal_id
  GROUP BY d.name
), part AS (
  SELECT *, count(*) OVER () AS page_total,
         row_number() OVER (ORDER BY CASE $4 WHEN 'titles' THEN titles WHEN 'score' THEN score
                                     WHEN 'members' THEN members END DESC NULLS LAST, sync.lower(name), name) AS place
  FROM maker
)
SELECT p.name, p.titles, p.score, p.members, p.rank AS best_rank, p.mal_id, m.title AS most_popular, p.page_total
FROM part p LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = p.mal_id
ORDER BY p.place LIMIT $5 OFFSET $6
