-- revision: 1
-- The functions by which documents become columns, and columns documents.

CREATE OR REPLACE FUNCTION jikan.whole(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN trim_scale((value #>> '{}')::numeric)::text::integer;
COMMENT ON FUNCTION jikan.whole IS 'A whole number however it is spelled: 12, 12.0 and 1.2e1 are equal; 1.5 is an error.';

CREATE OR REPLACE FUNCTION jikan.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN raw || coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each(counters) WHERE raw ? key), '{}');
COMMENT ON FUNCTION jikan.with_counters IS 'The document with today''s counters in place of those of the day it was stored.';

CREATE OR REPLACE FUNCTION jikan.type_label(subtype text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE subtype
  WHEN 'tv' THEN 'TV' WHEN 'movie' THEN 'Movie' WHEN 'ova' THEN 'OVA' WHEN 'special' THEN 'Special'
  WHEN 'ona' THEN 'ONA' WHEN 'music' THEN 'Music' WHEN 'cm' THEN 'CM' WHEN 'pv' THEN 'PV'
  WHEN 'tv_special' THEN 'TV Special'
  WHEN 'manga' THEN 'Manga' WHEN 'novel' THEN 'Novel' WHEN 'lightnovel' THEN 'Light Novel'
  WHEN 'oneshot' THEN 'One-shot' WHEN 'doujin' THEN 'Doujinshi' WHEN 'manhwa' THEN 'Manhwa' WHEN 'manhua' THEN 'Manhua'
END;
COMMENT ON FUNCTION jikan.type_label IS 'What the column type says for a type= parameter of the upstream: TV Special for tv_special.';
