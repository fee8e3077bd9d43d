-- title: Hidden gems
-- description: Anime or manga with a high score that few people have on their lists.
-- source: jikan
-- parameter: kind choice = anime (anime, manga) | anime or manga
-- parameter: min_score number = 8 (0..10) | Least score
-- parameter: max_members integer = 50000 (0..1000000000) | Largest number of people who have the title on their list
-- parameter: min_scored_by integer = 0 (0..1000000000) | Least number of people who scored the title
-- parameter: limit integer = 20 (0..100000) | Number of rows; 0 for all
-- narrow: rank, scored_by, year, type
-- column: mal_id | MyAnimeList's id.
-- column: title | Main title.
-- column: type | Type, e.g. TV.
-- column: year | Year in which the title began.
-- column: score | Mean score 1–10.
-- column: scored_by | People who scored the title.
-- column: members | People who have the title on their list.
-- column: rank | MyAnimeList's own rank.
SELECT m.mal_id, m.title, m.type, coalesce(m.year, extract(year FROM m.started_at AT TIME ZONE 'UTC')::integer) AS year,
       c.score, c.scored_by, c.members, nullif(c.rank, 0) AS rank
FROM jikan.media_counters c JOIN jikan.media m USING (kind, mal_id)
WHERE c.kind = :kind AND c.score > 0 AND c.score >= :min_score AND c.members <= :max_members
  AND coalesce(c.scored_by, 0) >= :min_scored_by AND m.vanished_at IS NULL
ORDER BY c.score DESC, c.members, c.mal_id
LIMIT nullif(:limit, 0)
