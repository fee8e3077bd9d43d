-- Genres, themes and demographics. `count` is the upstream's number of items, `mirrored` is the mirror's number.
-- $1 kind or NULL for both, $2 limit
WITH linked AS (
  SELECT kind, facet COLLATE "default" AS facet, linked_id AS mal_id, max(name) COLLATE "default" AS name,
         count(*) AS mirrored
  FROM (
    SELECT kind, unnest(facets) AS facet, unnest(linked_ids) AS linked_id, unnest(names) AS name
    FROM jikan.media_links
    WHERE ($1::text IS NULL OR kind = $1)
      AND (kind, mal_id) NOT IN (SELECT kind, mal_id FROM jikan.media WHERE vanished_at IS NOT NULL)
  ) l
  WHERE facet IN ('genres', 'explicit_genres', 'themes', 'demographics')
  GROUP BY 1, 2, 3
), listed AS (
  SELECT kind, facet, mal_id, name, count, url FROM jikan.genre WHERE $1 IS NULL OR kind = $1
)
SELECT kind, facet, mal_id, coalesce(g.name, l.name) AS name, g.count, coalesce(l.mirrored, 0) AS mirrored, g.url,
       count(*) OVER () AS page_total
FROM listed g FULL JOIN linked l USING (kind, facet, mal_id)
ORDER BY kind, array_position('{genres,explicit_genres,themes,demographics}'::text[], facet), 4, mal_id
LIMIT $2
