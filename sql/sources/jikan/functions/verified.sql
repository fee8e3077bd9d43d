-- `syncctl verify` compares the rows that these functions return with the derived tables.

CREATE OR REPLACE FUNCTION jikan.derived_tables(of_kind text) RETURNS TABLE (relation text, id_column text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT relation, 'mal_id' FROM unnest(ARRAY['media_counters', 'media_links', 'media_title']) AS relation
  WHERE of_kind IN ('anime', 'manga')
$$;
COMMENT ON FUNCTION jikan.derived_tables IS 'The tables that are derived from documents of a kind, and their columns with the document''s id. A function made_TABLE returns the expected rows of each table.';

CREATE OR REPLACE FUNCTION jikan.made_media_counters(of_kind text, ids bigint[]) RETURNS TABLE (kind text, mal_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT of_kind, unnest(ids) $$;
COMMENT ON FUNCTION jikan.made_media_counters IS 'The expected keys in jikan.media_counters: each document has counters. The values of counters are checked by their hash.';

CREATE OR REPLACE FUNCTION jikan.made_media_links(of_kind text, ids bigint[]) RETURNS SETOF jikan.media_links
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT of_kind, l.mal_id, l.facets, l.linked_ids, l.names
  FROM (
    SELECT array_agg(mal_id) AS keys, array_agg(raw) AS documents FROM jikan.media WHERE kind = of_kind AND mal_id = ANY (ids)
  ) m CROSS JOIN LATERAL jikan.links_of(m.keys, m.documents) l
$$;
COMMENT ON FUNCTION jikan.made_media_links IS 'The expected rows of jikan.media_links, derived from stored documents.';

CREATE OR REPLACE FUNCTION jikan.made_media_title(of_kind text, ids bigint[]) RETURNS SETOF jikan.media_title
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT of_kind, t.mal_id, t.titles
  FROM (
    SELECT array_agg(mal_id) AS keys, array_agg(raw) AS documents FROM jikan.media WHERE kind = of_kind AND mal_id = ANY (ids)
  ) m CROSS JOIN LATERAL jikan.titles_of(m.keys, m.documents) t
$$;
COMMENT ON FUNCTION jikan.made_media_title IS 'The expected rows of jikan.media_title, derived from stored documents.';
