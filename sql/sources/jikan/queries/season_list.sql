-- The seasons of the mirror, the latest first, with their numbers of anime in the mirror and in the mirrored list.
-- $1 limit
WITH listed AS (
  SELECT substr(filter, length('season:') + 1) AS list, count(*) AS entries
  FROM jikan.ranking WHERE kind = 'anime' AND subtype = 'all' AND starts_with(filter, 'season:') GROUP BY filter
), begun AS (
  SELECT m.year, m.season, count(*) AS anime, round(avg(nullif(c.score, 0)), 2) AS score, sum(c.members) AS members,
         (array_agg(m.title ORDER BY c.members DESC NULLS LAST, m.mal_id))[1] AS most_popular
  FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE m.kind = 'anime' AND m.season IS NOT NULL AND m.year IS NOT NULL AND m.vanished_at IS NULL
  GROUP BY m.year, m.season
)
SELECT coalesce(b.year, CASE WHEN l.list ~ '^[0-9]+-' THEN split_part(l.list, '-', 1)::integer END) AS year,
       coalesce(b.season, CASE WHEN l.list ~ '^[0-9]+-' THEN split_part(l.list, '-', 2) ELSE l.list END) AS season,
       CASE WHEN b.anime > 0 OR l.list ~ '^[0-9]+-' THEN coalesce(b.anime, 0) END AS anime, b.score, b.members,
       b.most_popular, l.entries AS listed,
       count(*) OVER () AS page_total
FROM begun b FULL JOIN listed l ON l.list = b.year || '-' || b.season
ORDER BY 1 DESC NULLS FIRST,
         array_position('{fall,summer,spring,winter}'::text[], coalesce(b.season, split_part(l.list, '-', 2))), l.list
LIMIT $1
