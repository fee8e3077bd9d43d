-- title: Seasons
-- description: The seasons of the mirror, the latest first, with the number of anime that began in the season, their
--   scores and their members.
-- source: jikan
-- parameter: year integer = null (1900..2200) | One year only
-- parameter: type text = null | One type only, e.g. TV
-- parameter: limit integer = 20 (0..100000) | Number of seasons; 0 for all
-- narrow: most_popular, members, top_score
-- column: year | Year.
-- column: season | winter, spring, summer or fall.
-- column: anime | Anime that began in the season.
-- column: scored | Anime with a score.
-- column: mean_score | Mean of the scores.
-- column: members | Sum of the numbers of people who have each anime on their list.
-- column: top_title | Anime with the best score.
-- column: top_score | Score of top_title.
-- column: most_popular | Anime with the most members.
SELECT m.year, m.season, count(*) AS anime, count(nullif(c.score, 0)) AS scored,
       round(avg(nullif(c.score, 0)), 2) AS mean_score,
       coalesce(sum(c.members), 0) AS members,
       (array_agg(m.title ORDER BY c.score DESC, c.scored_by DESC NULLS LAST, m.mal_id)
         FILTER (WHERE c.score > 0))[1] AS top_title,
       max(nullif(c.score, 0)) AS top_score,
       (array_agg(m.title ORDER BY c.members DESC NULLS LAST, m.mal_id))[1] AS most_popular
FROM jikan.media m LEFT JOIN jikan.media_counters c USING (kind, mal_id)
WHERE m.kind = 'anime' AND m.season IS NOT NULL AND m.year IS NOT NULL AND m.vanished_at IS NULL
  AND (:year IS NULL OR m.year = :year) AND (:type IS NULL OR sync.lower(m.type) = sync.lower(:type))
GROUP BY m.year, m.season
ORDER BY m.year DESC, array_position('{fall,summer,spring,winter}'::text[], m.season), m.season
LIMIT nullif(:limit, 0)
