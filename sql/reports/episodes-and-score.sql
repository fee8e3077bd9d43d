-- title: Episodes and score
-- description: Scores of anime by type and number of episodes.
-- source: jikan
-- parameter: type text = null | One type only, e.g. TV
-- parameter: min_titles integer = 1 (1..100000) | Least number of scored titles per row
-- narrow: mean_members, median_score
-- column: type | Type, e.g. TV; null without a type.
-- column: episodes | Number of episodes: 1, 2-11, 12-13, 14-26, 27-52, 53 and more, or unknown.
-- column: titles | Number of anime with a score.
-- column: mean_score | Mean score of these anime.
-- column: median_score | Median score of these anime.
-- column: mean_members | Mean number of people who have the anime on their list.
-- column: best_title | Title with the best score.
SELECT type, (ARRAY['1', '2-11', '12-13', '14-26', '27-52', '53 and more', 'unknown'])[band] AS episodes,
       count(*) AS titles,
       round(avg(score), 2) AS mean_score,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY score)::numeric, 2) AS median_score,
       round(avg(members)) AS mean_members,
       (array_agg(title ORDER BY score DESC, scored_by DESC NULLS LAST, mal_id))[1] AS best_title
FROM (
  SELECT m.mal_id, m.title, m.type, c.score, c.scored_by, c.members,
         CASE WHEN m.episodes <= 1 THEN 1 WHEN m.episodes <= 11 THEN 2 WHEN m.episodes <= 13 THEN 3
              WHEN m.episodes <= 26 THEN 4 WHEN m.episodes <= 52 THEN 5 WHEN m.episodes > 52 THEN 6 ELSE 7 END AS band
  FROM jikan.media m JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE m.kind = 'anime' AND m.vanished_at IS NULL AND c.score > 0 AND (:type IS NULL OR sync.lower(m.type) = sync.lower(:type))
) AS anime
GROUP BY type, band
HAVING count(*) >= :min_titles
ORDER BY type NULLS LAST, band
