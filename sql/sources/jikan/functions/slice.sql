CREATE OR REPLACE FUNCTION jikan.slice(of_kind text, filters jsonb) RETURNS TABLE (mal_id bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
  -- The index contains the names of all facets. A studio can have the name of a genre, so the facet is checked too.
  WITH of_genres AS (
    SELECT l.mal_id
    FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
          FROM jikan.media_links i
          WHERE i.kind = of_kind AND filters ? 'genres' AND i.names @> sync.as_text_array(filters->'genres')) l
    WHERE l.facet IN ('genres', 'explicit_genres', 'themes', 'demographics')
      AND l.name = ANY (sync.as_text_array(filters->'genres'))
    GROUP BY l.mal_id HAVING count(DISTINCT l.name) = jsonb_array_length(filters->'genres')
  ), of_studios AS (
    SELECT DISTINCT l.mal_id
    FROM (SELECT i.mal_id, unnest(i.facets) AS facet, unnest(i.names) AS name
          FROM jikan.media_links i
          WHERE i.kind = of_kind AND filters ? 'studios' AND i.names && sync.as_text_array(filters->'studios')) l
    WHERE l.facet = 'studios' AND l.name = ANY (sync.as_text_array(filters->'studios'))
  )
  SELECT m.mal_id FROM jikan.media m
  WHERE m.kind = of_kind AND filters - '{genres, studios}'::text[] <> '{}'
    AND (NOT filters ? 'seasons' OR m.season = ANY (sync.as_text_array(filters->'seasons')))
    AND (NOT filters ? 'years' OR CASE m.kind WHEN 'anime' THEN m.year
         ELSE extract(year FROM m.started_at AT TIME ZONE 'UTC') END = ANY (sync.as_integer_array(filters->'years')))
    AND (NOT filters ? 'statuses' OR m.status = ANY (sync.as_text_array(filters->'statuses')))
    AND (NOT filters ? 'ratings'
         OR sync.lower(split_part(m.rating, ' - ', 1)) = ANY (sync.as_text_array(filters->'ratings')))
    AND (NOT filters ? 'genres' OR m.mal_id IN (SELECT g.mal_id FROM of_genres g))
    AND (NOT filters ? 'studios' OR m.mal_id IN (SELECT s.mal_id FROM of_studios s))
  UNION ALL
  SELECT g.mal_id FROM of_genres g
  WHERE filters - '{genres, studios}'::text[] = '{}'
    AND (NOT filters ? 'studios' OR g.mal_id IN (SELECT s.mal_id FROM of_studios s))
  UNION ALL
  SELECT s.mal_id FROM of_studios s WHERE filters - '{genres, studios}'::text[] = '{}' AND NOT filters ? 'genres';
END;
COMMENT ON FUNCTION jikan.slice IS 'The anime or manga that all filters select. The members of filters are arrays: an entry has all of genres (also themes and demographics), and one of studios, seasons, years, statuses and ratings (in lower case, without the text after the hyphen). Without filters, no row is returned.';
