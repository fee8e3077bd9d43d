-- Functions that read a member return null for a value of the wrong type or range. They never fail.

CREATE OR REPLACE FUNCTION jikan.string(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) IN ('string', 'number') THEN value #>> '{}' END;
COMMENT ON FUNCTION jikan.string IS 'A text, also of a number; null for any other value.';

CREATE OR REPLACE FUNCTION jikan.flag(value jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE value #>> '{}' WHEN 'true' THEN true WHEN 'false' THEN false END;
COMMENT ON FUNCTION jikan.flag IS 'true or false, also as a text; null for any other value.';

CREATE OR REPLACE FUNCTION jikan.number(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- queries/ranking.sql multiplies this value by a million and converts it to bigint, so the value must be below 1e12.
RETURN CASE jsonb_typeof(value)
  WHEN 'number' THEN CASE WHEN abs(value::numeric) < 1e12 THEN value::numeric END
  WHEN 'string' THEN
    CASE WHEN value #>> '{}' ~ '^ *-?(0|[1-9][0-9]{0,99})(\.[0-9]{1,100})?([eE][+-]?[0-9]{1,3})? *$' THEN
      CASE WHEN abs((value #>> '{}')::numeric) < 1e12 THEN (value #>> '{}')::numeric END
    END
END;
COMMENT ON FUNCTION jikan.number IS 'A number, also as a text; null for one of a million millions or more, and for any other value.';

CREATE OR REPLACE FUNCTION jikan.whole(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- queries/ranking.sql also negates the value, so -2147483648 is excluded.
RETURN CASE WHEN abs(jikan.number(value)) <= 2147483647 AND jikan.number(value) = trunc(jikan.number(value))
            THEN jikan.number(value)::integer END;
COMMENT ON FUNCTION jikan.whole IS 'A whole number however it is spelled: 12, 12.0, 1.2e1 and "12" are equal; null for 1.5, for one that is too large, and for any other value.';

CREATE OR REPLACE FUNCTION jikan.moment(value jsonb) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string' AND value #>> '{}' ~ (
  '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
  || '(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9]))?$')
THEN
  -- Without this check, a day that the month does not have, such as April 31, would be an error.
  CASE WHEN extract(month FROM make_date(left(value #>> '{}', 4)::integer, substr(value #>> '{}', 6, 2)::integer, 1)
                               + substr(value #>> '{}', 9, 2)::integer - 1)
            = substr(value #>> '{}', 6, 2)::integer
       THEN (value #>> '{}')::timestamptz END
END;
COMMENT ON FUNCTION jikan.moment IS 'A day or a time in ISO 8601; null for a day that no calendar has, as 2000-00-00, for a time without a zone, and for any other value.';

CREATE OR REPLACE FUNCTION jikan.clock(value jsonb) RETURNS time
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value #>> '{}' ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' THEN (value #>> '{}')::time END;
COMMENT ON FUNCTION jikan.clock IS 'A time of day such as 23:30; null for any other value.';

CREATE OR REPLACE FUNCTION jikan.minutes(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value #>> '{}' ~ '^([0-9]{1,4} (hr|min|sec)( |$))+(per ep)?$' THEN
  trim_scale(round(
    coalesce(substring(value #>> '{}' FROM '([0-9]+) hr')::numeric, 0) * 60
    + coalesce(substring(value #>> '{}' FROM '([0-9]+) min')::numeric, 0)
    + coalesce(substring(value #>> '{}' FROM '([0-9]+) sec')::numeric, 0) / 60, 1))
END;
COMMENT ON FUNCTION jikan.minutes IS 'The minutes of a duration such as 1 hr 55 min or 24 min per ep; null for Unknown and any other value.';

CREATE OR REPLACE FUNCTION jikan.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN raw || coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each(counters)
  -- `scored` normally repeats the score. If it differs from the document's score, it stays unchanged.
  WHERE raw ? key
    AND (key <> 'scored' OR jikan.number(raw->'scored') IS NOT DISTINCT FROM jikan.number(raw->'score'))), '{}');
COMMENT ON FUNCTION jikan.with_counters IS 'The document with its stored counters replaced by the current counters.';

CREATE OR REPLACE FUNCTION jikan.type_label(subtype text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE subtype
  WHEN 'tv' THEN 'TV' WHEN 'movie' THEN 'Movie' WHEN 'ova' THEN 'OVA' WHEN 'special' THEN 'Special'
  WHEN 'ona' THEN 'ONA' WHEN 'music' THEN 'Music' WHEN 'cm' THEN 'CM' WHEN 'pv' THEN 'PV'
  WHEN 'tv_special' THEN 'TV Special'
  WHEN 'manga' THEN 'Manga' WHEN 'novel' THEN 'Novel' WHEN 'lightnovel' THEN 'Light Novel'
  WHEN 'oneshot' THEN 'One-shot' WHEN 'doujin' THEN 'Doujinshi' WHEN 'manhwa' THEN 'Manhwa' WHEN 'manhua' THEN 'Manhua'
END;
COMMENT ON FUNCTION jikan.type_label IS 'The value of the column type for a type= parameter of the upstream, e.g. TV Special for tv_special.';
