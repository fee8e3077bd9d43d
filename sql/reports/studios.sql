-- title: Studios
-- description: Studios of anime by the mean score of their titles, each title weighted by the number of its scores.
-- source: jikan
-- parameter: min_titles integer = 5 (1..100000) | Least number of scored titles
-- parameter: type text = null | Titles of one type only, e.g. TV
-- parameter: limit integer = 20 (0..100000) | Number of studios; 0 for all
-- narrow: members, scored_by, best_score, mean_score
-- column: position | Place by weighted score.
-- column: studio | Name.
-- column: titles | Titles with a score.
-- column: score | Mean score of the titles, weighted by scored_by.
-- column: mean_score | Mean score, unweighted.
-- column: scored_by | Scores of all titles.
-- column: members | Sum of the numbers of people who have each title on their list.
-- column: best_title | The title with the best score.
-- column: best_score | Score of best_title.
WITH studio AS (
  SELECT l.linked_id, max(l.name) COLLATE "default" AS studio, count(*) AS titles,
         sum(c.score * c.scored_by) / nullif(sum(c.scored_by), 0) AS score,
         avg(c.score) AS mean_score, coalesce(sum(c.scored_by), 0) AS scored_by, coalesce(sum(c.members), 0) AS members,
         -- The greatest array has the best score, then the most scores, and then the least id.
         max(ARRAY[c.score, coalesce(c.scored_by, -1), -c.mal_id]) AS best
  FROM (
    SELECT kind, mal_id, unnest(facets) AS facet, unnest(linked_ids) AS linked_id, unnest(names) AS name
    FROM jikan.media_links
    -- The ids of vanished entries are in an index, so that the documents are read only for a type.
    WHERE kind = 'anime' AND (kind, mal_id) NOT IN (SELECT kind, mal_id FROM jikan.media WHERE vanished_at IS NOT NULL)
      AND (:type IS NULL OR mal_id IN (
        SELECT mal_id FROM jikan.media WHERE kind = 'anime' AND sync.lower(type) = sync.lower(:type)))
  ) l
  JOIN jikan.media_counters c USING (kind, mal_id)
  WHERE l.facet = 'studios' AND c.score > 0
  GROUP BY l.linked_id
  HAVING count(*) >= :min_titles
), best AS (
  SELECT row_number() OVER (ORDER BY score DESC NULLS LAST, scored_by DESC, linked_id) AS position, *
  FROM studio ORDER BY position LIMIT nullif(:limit, 0)
)
SELECT b.position, b.studio, b.titles, round(b.score, 2) AS score, round(b.mean_score, 2) AS mean_score,
       b.scored_by, b.members, m.title AS best_title, b.best[1] AS best_score
FROM best b LEFT JOIN jikan.media m ON m.kind = 'anime' AND m.mal_id = (-b.best[3])::bigint
ORDER BY b.position
