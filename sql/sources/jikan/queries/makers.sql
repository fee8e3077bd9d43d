-- The studios of anime or the authors of manga, with their numbers of titles in the mirror. If a maker has several ids,
-- the name is one maker, as in jikan.slice.
-- $1 kind, $2 facet: studios or authors, $3 the only name, or NULL, $4 order: titles, score, members or name, $5 limit,
-- $6 makers to skip
WITH made AS (
  SELECT DISTINCT l.mal_id, l.name
  FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
        FROM jikan.media_links i
        WHERE i.kind = $1 AND ($3::text IS NULL OR i.names @> ARRAY[$3])
          AND (i.kind, i.mal_id) NOT IN (SELECT kind, mal_id FROM jikan.media WHERE vanished_at IS NOT NULL)) l
  WHERE l.facet = $2 AND ($3 IS NULL OR l.name = $3)
), maker AS (
  SELECT d.name COLLATE "default" AS name, count(*) AS titles, round(avg(nullif(c.score, 0)), 2) AS score,
         coalesce(sum(c.members), 0)::bigint AS members, min(nullif(c.rank, 0)) AS rank,
         -- The greatest pair has the most members, and then the least id.
         max(ARRAY[coalesce(c.members, 0), -d.mal_id]) AS most_popular
  FROM made d LEFT JOIN (SELECT * FROM jikan.media_counters WHERE kind = $1) c USING (mal_id)
  GROUP BY d.name
), part AS (
  -- The limit is here, so that titles are looked up only for the returned rows.
  SELECT * FROM (
    SELECT *, count(*) OVER () AS page_total,
           row_number() OVER (ORDER BY CASE $4 WHEN 'titles' THEN titles WHEN 'score' THEN score
                                       WHEN 'members' THEN members END DESC NULLS LAST, sync.lower(name), name) AS place
    FROM maker) placed
  ORDER BY place LIMIT $5 OFFSET $6
)
SELECT p.name, p.titles, p.score, p.members, p.rank AS best_rank, m.mal_id, m.title AS most_popular, p.page_total
FROM part p LEFT JOIN jikan.media m ON m.kind = $1 AND m.mal_id = -p.most_popular[2]
ORDER BY p.place
