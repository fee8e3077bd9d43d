-- revision: 3
-- What is derived from documents besides their columns.

CREATE OR REPLACE FUNCTION jikan.links_of(keys bigint[], documents jsonb[])
RETURNS TABLE (mal_id bigint, facet text, linked_id bigint, name text)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
-- It reads no table: one plan serves all documents. In SQL it would be planned with each call.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT DISTINCT ON (d.mal_id, facet, linked_id)
         d.mal_id, facet, trim_scale((e.value->>'mal_id')::numeric)::text::bigint AS linked_id,
         e.value->>'name' AS name
  FROM unnest(keys, documents) AS d (mal_id, raw)
  CROSS JOIN LATERAL (VALUES
    ('genres', d.raw->'genres'), ('explicit_genres', d.raw->'explicit_genres'), ('themes', d.raw->'themes'),
    ('demographics', d.raw->'demographics'), ('studios', d.raw->'studios'), ('producers', d.raw->'producers'),
    ('licensors', d.raw->'licensors'), ('authors', d.raw->'authors'), ('serializations', d.raw->'serializations')
  ) AS f (facet, list)
  CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(list) = 'array' THEN list END)
    WITH ORDINALITY AS e (value, ordinal)
  -- Of what is not as it should be nothing is derived; the document has it. An index takes no longer names.
  WHERE jsonb_typeof(e.value->'name') = 'string' AND octet_length(e.value->>'name') BETWEEN 1 AND 1000
    AND CASE WHEN jsonb_typeof(e.value->'mal_id') = 'number'
             THEN scale(trim_scale((e.value->>'mal_id')::numeric)) = 0
                  AND (e.value->>'mal_id')::numeric BETWEEN 0 AND 9223372036854775807 END
  ORDER BY d.mal_id, facet, linked_id, e.ordinal;
END $$;
COMMENT ON FUNCTION jikan.links_of IS 'The links that documents make: genres, studios, authors, …';

CREATE OR REPLACE FUNCTION jikan.titles_of(keys bigint[], documents jsonb[]) RETURNS TABLE (mal_id bigint, titles text)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT mal_id, E'\n' || string_agg(title, E'\n' ORDER BY place) || E'\n'
  FROM (
    SELECT mal_id, jikan.fold(title) AS title, min(place) AS place
    FROM (
      -- Most titles stand in a document twice.
      SELECT d.mal_id, t.title, min(t.place) AS place
      FROM unnest(keys, documents) AS d (mal_id, raw)
      CROSS JOIN LATERAL (
        SELECT * FROM (VALUES (1, raw->>'title'), (2, raw->>'title_english'), (3, raw->>'title_japanese'))
          AS own (place, title)
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
  ) folded
  GROUP BY mal_id;
END $$;
COMMENT ON FUNCTION jikan.titles_of IS 'The titles by which documents are found, folded, each between line ends.';

CREATE OR REPLACE FUNCTION jikan.derive(of_kind text, keys bigint[], documents jsonb[]) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
-- A plan that was made for empty tables must not be used for full ones.
SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
  -- The caller holds the locks of these rows of jikan.media. Another session may have held them until now: each
  -- statement of this function sees what that session has committed, and the one that wrote the documents does not.
  WITH link AS (
    SELECT * FROM jikan.links_of(keys, documents)
  ), held AS MATERIALIZED (
    -- One look-up for each document: without statistics, as in a first load, all links of the kind would be read.
    SELECT l.* FROM unnest(keys) AS key CROSS JOIN LATERAL (
      SELECT l.ctid AS place, l.mal_id, l.facet, l.linked_id, l.name FROM jikan.media_link l
      WHERE l.kind = of_kind AND l.mal_id = key OFFSET 0
    ) l
  ), unlinked AS (
    DELETE FROM jikan.media_link WHERE ctid = ANY (ARRAY(
      SELECT place FROM held
      WHERE (mal_id, facet, linked_id, name) NOT IN (SELECT mal_id, facet, linked_id, name FROM link)))
    RETURNING 1
  )
  -- No ON CONFLICT: it costs as much as the rows. The comparison waits for the deletions.
  INSERT INTO jikan.media_link (kind, mal_id, facet, linked_id, name)
  SELECT of_kind, mal_id, facet, linked_id, name FROM link
  WHERE (SELECT count(*) FROM unlinked) >= 0
    AND (mal_id, facet, linked_id, name) NOT IN (SELECT mal_id, facet, linked_id, name FROM held)
  ORDER BY mal_id, facet, linked_id;

  INSERT INTO jikan.media_title AS t (kind, mal_id, titles)
  SELECT of_kind, mal_id, titles FROM jikan.titles_of(keys, documents) ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET titles = excluded.titles WHERE t.titles <> excluded.titles;
END $$;
COMMENT ON FUNCTION jikan.derive IS 'Writes what is derived from documents besides their columns: links, and the titles by which they are found.';
