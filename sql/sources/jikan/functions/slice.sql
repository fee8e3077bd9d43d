CREATE OR REPLACE FUNCTION jikan.slice(
  of_kind text, genres text[], studios text[], seasons text[], years integer[], statuses text[], ratings text[])
RETURNS TABLE (mal_id bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT met.mal_id FROM (
    -- The index contains the names of all facets. A studio can have the name of a genre, so the facet is checked too.
    SELECT l.mal_id
    FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
          FROM jikan.media_links i WHERE i.kind = of_kind AND cardinality(genres) > 0 AND i.names @> genres) l
    WHERE l.facet IN ('genres', 'explicit_genres', 'themes', 'demographics') AND l.name = ANY (genres)
    GROUP BY l.mal_id HAVING count(DISTINCT l.name) = cardinality(genres)
    UNION ALL
    SELECT DISTINCT l.mal_id
    FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
          FROM jikan.media_links i WHERE i.kind = of_kind AND cardinality(studios) > 0 AND i.names && studios) l
    WHERE l.facet = 'studios' AND l.name = ANY (studios)
    UNION ALL
    SELECT m.mal_id FROM jikan.media m
    WHERE m.kind = of_kind
      AND cardinality(seasons) + cardinality(years) + cardinality(statuses) + cardinality(ratings) > 0
      AND (cardinality(seasons) = 0 OR m.season = ANY (seasons))
      AND (cardinality(years) = 0 OR CASE m.kind WHEN 'anime' THEN m.year
           ELSE extract(year FROM m.started_at AT TIME ZONE 'UTC') END = ANY (years))
      AND (cardinality(statuses) = 0 OR m.status = ANY (statuses))
      AND (cardinality(ratings) = 0 OR sync.lower(split_part(m.rating, ' - ', 1)) = ANY (ratings))
  ) met
  GROUP BY met.mal_id
  HAVING count(*) = CASE WHEN cardinality(genres) > 0 THEN 1 ELSE 0 END
    + CASE WHEN cardinality(studios) > 0 THEN 1 ELSE 0 END
    + CASE WHEN cardinality(seasons) + cardinality(years) + cardinality(statuses) + cardinality(ratings) > 0
           THEN 1 ELSE 0 END;
END;
COMMENT ON FUNCTION jikan.slice IS 'The anime or manga that have all given genres, themes and demographics, and one of the given studios, seasons, years, statuses and ratings (in lower case, without the text after the hyphen). An empty array selects everything. If all arrays are empty, no row is returned.';
