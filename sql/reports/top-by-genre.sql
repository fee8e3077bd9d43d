-- title: Top by genre
-- description: The anime or manga of a genre, theme or demographic with the best scores.
-- source: jikan
-- parameter: genre text = 'Action' | A genre, theme or demographic, case-insensitive
-- parameter: kind choice = anime (anime, manga) | anime or manga
-- parameter: type text = null | One type only, e.g. TV or Manga
-- parameter: min_members integer = 0 (0..1000000000) | Least number of people who have the title on their list
-- parameter: limit integer = 20 (0..100000) | Number of rows; 0 for all
-- narrow: rank, scored_by, year, type, members
-- column: position | Place by score.
-- column: mal_id | MyAnimeList's id.
-- column: title | Main title.
-- column: type | Type, e.g. TV.
-- column: year | Year in which the title began.
-- column: score | Mean score 1–10.
-- column: scored_by | People who scored the title.
-- column: members | People who have the title on their list.
-- column: rank | MyAnimeList's own rank.
WITH spelling AS MATERIALIZED (
  SELECT array_agg(name) AS names
  FROM (SELECT DISTINCT unnest(names) AS name FROM jikan.media_links WHERE kind = :kind) n
  WHERE sync.lower(name) = sync.lower(:genre)
), tagged AS (
  -- The index contains the names of all facets. A studio can have the name of a genre, so the facet is checked too.
  SELECT mal_id FROM jikan.media_links
  WHERE kind = :kind AND names && (SELECT names FROM spelling) AND EXISTS (
    SELECT FROM unnest(facets, names) AS l (facet, name)
    WHERE l.facet IN ('genres', 'explicit_genres', 'themes', 'demographics')
      AND l.name = ANY ((SELECT names FROM spelling)::text[]))
), best AS (
  SELECT c.mal_id, c.score, c.scored_by, c.members, c.rank, m.title, m.type,
         coalesce(m.year, extract(year FROM m.started_at AT TIME ZONE 'UTC')::integer) AS year
  FROM tagged t
  JOIN jikan.media_counters c ON c.kind = :kind AND c.mal_id = t.mal_id
  JOIN jikan.media m ON m.kind = :kind AND m.mal_id = t.mal_id
  WHERE c.score > 0 AND m.vanished_at IS NULL AND coalesce(c.members, 0) >= :min_members
    AND (:type IS NULL OR sync.lower(m.type) = sync.lower(:type))
  ORDER BY c.score DESC, c.scored_by DESC NULLS LAST, c.mal_id LIMIT nullif(:limit, 0)
)
SELECT row_number() OVER (ORDER BY score DESC, scored_by DESC NULLS LAST, mal_id) AS position, mal_id,
       title, type, year, score, scored_by, members, nullif(rank, 0) AS rank
FROM best
ORDER BY position
