-- What is derived from documents besides their columns: links, and the titles by which they are found. Of what another
-- type has than it should nothing is derived; raw has it. `documents` are the rows that were written, `derived` the
-- items.
-- $5 scope text[] (kind, …)
link AS MATERIALIZED (
  SELECT DISTINCT ON (d.mal_id, facet, linked_id)
         d.mal_id, facet, trim_scale((e.value->>'mal_id')::numeric)::text::bigint AS linked_id, e.value->>'name' AS name
  FROM derived d JOIN documents USING (mal_id)
  CROSS JOIN LATERAL (VALUES
    ('genres', d.raw->'genres'), ('explicit_genres', d.raw->'explicit_genres'), ('themes', d.raw->'themes'),
    ('demographics', d.raw->'demographics'), ('studios', d.raw->'studios'), ('producers', d.raw->'producers'),
    ('licensors', d.raw->'licensors'), ('authors', d.raw->'authors'), ('serializations', d.raw->'serializations')
  ) AS f (facet, list)
  CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(list) = 'array' THEN list END)
    WITH ORDINALITY AS e (value, ordinal)
  WHERE jsonb_typeof(e.value->'name') = 'string' AND e.value->>'name' <> ''
    AND CASE WHEN jsonb_typeof(e.value->'mal_id') = 'number'
             THEN scale(trim_scale((e.value->>'mal_id')::numeric)) = 0
                  AND (e.value->>'mal_id')::numeric BETWEEN 0 AND 9223372036854775807 END
  ORDER BY d.mal_id, facet, linked_id, e.ordinal
), held AS MATERIALIZED (
  SELECT mal_id, facet, linked_id, name FROM jikan.media_link
  WHERE kind = ($5::text[])[1] AND mal_id = ANY (ARRAY(SELECT mal_id FROM documents))
), unlinked AS (
  DELETE FROM jikan.media_link l
  WHERE l.kind = ($5::text[])[1] AND l.mal_id = ANY (ARRAY(SELECT mal_id FROM documents))
    AND (l.mal_id, l.facet, l.linked_id, l.name) NOT IN (SELECT mal_id, facet, linked_id, name FROM link)
  RETURNING 1
), linked AS (
  -- No ON CONFLICT: it costs as much as the rows. The rows of a document are written by whoever holds its lock. The
  -- comparison waits for the deletions.
  INSERT INTO jikan.media_link (kind, mal_id, facet, linked_id, name)
  SELECT ($5::text[])[1], mal_id, facet, linked_id, name FROM link
  WHERE (SELECT count(*) FROM unlinked) >= 0
    AND (mal_id, facet, linked_id, name) NOT IN (SELECT mal_id, facet, linked_id, name FROM held)
  ORDER BY mal_id, facet, linked_id
), titled AS (
  INSERT INTO jikan.media_title AS t (kind, mal_id, titles)
  SELECT ($5::text[])[1], mal_id, E'\n' || string_agg(title, E'\n' ORDER BY place) || E'\n'
  FROM (
    SELECT mal_id, jikan.fold(title) AS title, min(place) AS place
    FROM (
      -- Most titles stand in a document twice.
      SELECT d.mal_id, t.title, min(t.place) AS place
      FROM derived d JOIN documents USING (mal_id)
      CROSS JOIN LATERAL (
        SELECT * FROM (VALUES (1, d.title), (2, d.title_english), (3, d.title_japanese)) AS own (place, title)
        UNION ALL
        SELECT 3 + e.ordinal, e.value->>'title'
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(d.raw->'titles') = 'array' THEN d.raw->'titles' END)
          WITH ORDINALITY AS e (value, ordinal)
        UNION ALL
        SELECT 1000 + e.ordinal, e.value #>> '{}'
        FROM jsonb_array_elements(
            CASE WHEN jsonb_typeof(d.raw->'title_synonyms') = 'array' THEN d.raw->'title_synonyms' END)
          WITH ORDINALITY AS e (value, ordinal)
      ) AS t
      WHERE t.title <> ''
      GROUP BY d.mal_id, t.title
    ) own
    GROUP BY mal_id, jikan.fold(title)
  ) folded
  GROUP BY mal_id ORDER BY mal_id
  ON CONFLICT (kind, mal_id) DO UPDATE SET titles = excluded.titles WHERE t.titles <> excluded.titles
)
