CREATE OR REPLACE FUNCTION jikan.links_of(keys bigint[], documents jsonb[])
RETURNS TABLE (mal_id bigint, facets text[], linked_ids bigint[], names text[])
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
-- The function reads no table, so one generic plan suits all calls. A function in SQL would be planned at each call.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  -- The names are in byte order. Sorting by a name's position in this array is faster than sorting by the name.
  members text[] := '{authors,demographics,explicit_genres,genres,licensors,producers,serializations,studios,themes}';
BEGIN
  RETURN QUERY
  SELECT k.mal_id, coalesce(facets, '{}'), coalesce(linked_ids, '{}'), coalesce(names, '{}')
  FROM unnest(keys) WITH ORDINALITY AS k (mal_id, place)
  LEFT JOIN (
    SELECT place, array_agg(members[member]) AS facets, array_agg(linked_id) AS linked_ids, array_agg(name) AS names
    FROM (
      SELECT DISTINCT ON (place, member, linked_id)
             place, member, (e.value->'mal_id')::bigint AS linked_id, e.ordinal, e.value->>'name' AS name
      FROM unnest(documents) WITH ORDINALITY AS d (raw, place)
      CROSS JOIN LATERAL (VALUES
        (1, raw->'authors'), (2, raw->'demographics'), (3, raw->'explicit_genres'), (4, raw->'genres'),
        (5, raw->'licensors'), (6, raw->'producers'), (7, raw->'serializations'), (8, raw->'studios'),
        (9, raw->'themes')
      ) AS f (member, list)
      CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(list) = 'array' THEN list END)
        WITH ORDINALITY AS e (value, ordinal)
      -- Malformed links are skipped, and names of more than 1,000 bytes, which are too long for an index.
      WHERE list <> '[]' AND jsonb_typeof(e.value->'name') = 'string'
        AND octet_length(e.value->>'name') BETWEEN 1 AND 1000
        AND CASE WHEN jsonb_typeof(e.value->'mal_id') = 'number'
                 THEN (e.value->'mal_id')::numeric BETWEEN 0 AND 9223372036854775807
                      AND (e.value->'mal_id')::numeric = trunc((e.value->'mal_id')::numeric) END
      ORDER BY place, member, linked_id, e.ordinal
    ) link
    GROUP BY place
  ) l USING (place);
END $$;
COMMENT ON FUNCTION jikan.links_of IS 'The links in documents (genres, studios, authors, …), one row for each document.';

CREATE OR REPLACE FUNCTION jikan.titles_of(keys bigint[], documents jsonb[]) RETURNS TABLE (mal_id bigint, titles text)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  -- A document without titles gets an empty text, which replaces its old titles.
  SELECT k.mal_id, coalesce(folded.titles, '')
  FROM unnest(keys) AS k (mal_id) LEFT JOIN (
    SELECT mal_id, E'\n' || string_agg(title, E'\n' ORDER BY place) || E'\n' AS titles
    FROM (
      SELECT mal_id, jikan.fold(title) AS title, min(place) AS place
      FROM (
        -- Most documents contain a title twice, so duplicates are removed before the slow jikan.fold.
        SELECT d.mal_id, t.title, min(t.place) AS place
        FROM unnest(keys, documents) AS d (mal_id, raw)
        CROSS JOIN LATERAL (
          SELECT * FROM (VALUES
            (1, jikan.string(raw->'title')), (2, jikan.string(raw->'title_english')),
            (3, jikan.string(raw->'title_japanese'))
          ) AS own (place, title)
          UNION ALL
          SELECT 3 + e.ordinal, e.value->>'title'
          FROM jsonb_array_elements(CASE WHEN jsonb_typeof(raw->'titles') = 'array' THEN raw->'titles' END)
            WITH ORDINALITY AS e (value, ordinal)
          UNION ALL
          SELECT 1000 + e.ordinal, e.value #>> '{}'
          FROM jsonb_array_elements(
              CASE WHEN jsonb_typeof(raw->'title_synonyms') = 'array' THEN raw->'title_synonyms' END)
            WITH ORDINALITY AS e (value, ordinal)
        ) AS t
        WHERE t.title <> ''
        GROUP BY d.mal_id, t.title
      ) own
      GROUP BY mal_id, jikan.fold(title)
    ) titled
    GROUP BY mal_id
  ) folded USING (mal_id);
END $$;
COMMENT ON FUNCTION jikan.titles_of IS 'The titles for searching, one row for each document. The titles are normalized by jikan.fold, and each title is between line ends.';

CREATE OR REPLACE FUNCTION jikan.derive(of_kind text, keys bigint[], documents jsonb[]) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
-- Every look-up is by key. In a first load, the plans are cached while the tables are still empty, so sequential scans
-- must be disabled.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
  -- The caller holds the locks of these rows of jikan.media. Unlike the caller's statement, the statements below see
  -- what another session committed while the caller waited for the locks.
  INSERT INTO jikan.media_links (kind, mal_id, facets, linked_ids, names)
  SELECT of_kind, made.mal_id, made.facets, made.linked_ids, made.names
  FROM jikan.links_of(keys, documents) AS made
  -- Unchanged rows are filtered out, because ON CONFLICT would lock them, which is a write. OFFSET 0 forces one look-up
  -- for each document.
  LEFT JOIN LATERAL (
    SELECT l.facets, l.linked_ids, l.names FROM jikan.media_links l
    WHERE l.kind = of_kind AND l.mal_id = made.mal_id OFFSET 0
  ) held ON true
  WHERE (made.facets, made.linked_ids, made.names) IS DISTINCT FROM (held.facets, held.linked_ids, held.names)
  ORDER BY made.mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET
    facets = excluded.facets, linked_ids = excluded.linked_ids, names = excluded.names;

  INSERT INTO jikan.media_title AS t (kind, mal_id, titles)
  SELECT of_kind, mal_id, titles FROM jikan.titles_of(keys, documents) ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET titles = excluded.titles WHERE t.titles <> excluded.titles;
END $$;
COMMENT ON FUNCTION jikan.derive IS 'Writes the tables that are derived from documents: the links, and the titles for searching.';
