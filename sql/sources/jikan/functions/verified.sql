-- `syncctl verify` compares the rows that these functions return with the derived tables.

CREATE OR REPLACE FUNCTION jikan.derived_tables(of_kind text) RETURNS TABLE (relation text, id_column text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT relation, 'mal_id' FROM unnest(ARRAY['media_counters', 'media_links', 'media_title']) AS relation
  WHERE of_kind IN ('anime', 'manga')
$$;
COMMENT ON FUNCTION jikan.derived_tables IS 'The tables with rows of documents of a kind, and the columns with the ids of the documents. A function made_… makes the rows of each.';

CREATE OR REPLACE FUNCTION jikan.made_media_counters(of_kind text, ids bigint[]) RETURNS TABLE (kind text, mal_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT of_kind, unnest(ids) $$;
COMMENT ON FUNCTION jikan.made_media_counters IS 'The keys of the rows of jikan.media_counters: each document has counters, whose values have a hash of their own.';

CREATE OR REPLACE FUNCTION jikan.made_media_links(of_kind text, ids bigint[]) RETURNS SETOF jikan.media_links
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT of_kind, l.mal_id, l.facets, l.linked_ids, l.names
  FROM (
    SELECT array_agg(mal_id) AS keys, array_agg(raw) AS documents FROM jikan.media WHERE kind = of_kind AND mal_id = ANY (ids)
  ) m CROSS JOIN LATERAL jikan.links_of(m.keys, m.documents) l
$$;
COMMENT ON FUNCTION jikan.made_media_links IS 'The rows of jikan.media_links that stored documents make.';

CREATE OR REPLACE FUNCTION jikan.made_media_title(of_kind text, ids bigint[]) RETURNS SETOF jikan.media_title
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT of_kind, t.mal_id, t.titles
  FROM (
    SELECT array_agg(mal_id) AS keys, array_agg(raw) AS documents FROM jikan.media WHERE kind = of_kind AND mal_id = ANY (ids)
  ) m CROSS JOIN LATERAL jikan.titles_of(m.keys, m.documents) t
$$;
COMMENT ON FUNCTION jikan.made_media_title IS 'The rows of jikan.media_title that stored documents make.';
