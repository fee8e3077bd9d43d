-- Read a member of a declared source's document as the type of its column. They return null for a value that does not
-- fit, and never fail. Generated columns use them, so a changed meaning would need a rewrite of all declared tables.

CREATE OR REPLACE FUNCTION sync.as_text(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) IN ('string', 'number', 'boolean') THEN value #>> '{}' END;
COMMENT ON FUNCTION sync.as_text IS 'A text, number or Boolean as a text; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_boolean(value jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE value #>> '{}' WHEN 'true' THEN true WHEN 'false' THEN false END;
COMMENT ON FUNCTION sync.as_boolean IS 'true or false, also as a text; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_numeric(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value)
  WHEN 'number' THEN value::numeric
  WHEN 'string' THEN
    CASE WHEN value #>> '{}' ~ '^ *-?(0|[1-9][0-9]{0,99})(\.[0-9]{1,100})?([eE][+-]?[0-9]{1,3})? *$'
         THEN (value #>> '{}')::numeric END
END;
COMMENT ON FUNCTION sync.as_numeric IS 'A number, also as a text; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_bigint(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN sync.as_numeric(value) BETWEEN -9223372036854775808 AND 9223372036854775807
                 AND sync.as_numeric(value) = trunc(sync.as_numeric(value))
            THEN sync.as_numeric(value)::bigint END;
COMMENT ON FUNCTION sync.as_bigint IS 'A whole number of 64 bits, however it is spelled; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_integer(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN sync.as_numeric(value) BETWEEN -2147483648 AND 2147483647
                 AND sync.as_numeric(value) = trunc(sync.as_numeric(value))
            THEN sync.as_numeric(value)::integer END;
COMMENT ON FUNCTION sync.as_integer IS 'A whole number of 32 bits, however it is spelled; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_double_precision(value jsonb) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- PostgreSQL refuses smaller and larger numbers. 1e308 is safely below the largest.
RETURN CASE WHEN sync.as_numeric(value) = 0 OR abs(sync.as_numeric(value)) BETWEEN 1e-307 AND 1e308
            THEN sync.as_numeric(value)::double precision END;
COMMENT ON FUNCTION sync.as_double_precision IS 'A number, also as a text; null for one beyond 1e308 or closer to 0 than 1e-307, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_date(value jsonb) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string'
                 AND value #>> '{}' ~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ]|$)'
THEN
  -- Without this check, a day that the month does not have, such as April 31, would be an error.
  CASE WHEN extract(month FROM make_date(left(value #>> '{}', 4)::integer, substr(value #>> '{}', 6, 2)::integer, 1)
                               + substr(value #>> '{}', 9, 2)::integer - 1)
            = substr(value #>> '{}', 6, 2)::integer
       THEN make_date(left(value #>> '{}', 4)::integer, substr(value #>> '{}', 6, 2)::integer,
                      substr(value #>> '{}', 9, 2)::integer) END
END;
COMMENT ON FUNCTION sync.as_date IS 'The day of a date or time in ISO 8601; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_timestamptz(value jsonb) RETURNS timestamptz
-- Immutable, because every text that reaches the cast has a zone.
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN sync.as_date(value) IS NOT NULL AND value #>> '{}' ~ (
    '^[0-9-]{10}([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?'
    || '(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?$')
  THEN CASE WHEN value #>> '{}' ~ '^.{10}$' THEN (value #>> '{}' || 'T00:00:00Z')::timestamptz
            WHEN value #>> '{}' ~ '(Z|[+-][0-9]{2}(:?[0-9]{2})?)$' AND length(value #>> '{}') > 16
            THEN (value #>> '{}')::timestamptz
            ELSE (value #>> '{}' || 'Z')::timestamptz END
  END;
COMMENT ON FUNCTION sync.as_timestamptz IS 'A day or a time in ISO 8601, in UTC if it has no zone; null for any other value.';

-- The functions for declared formats. Their bounds are 0001-01-01 and 9999-12-31T23:59:59 in seconds since 1970.

CREATE OR REPLACE FUNCTION sync.as_boolean_of_number(value jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(sync.as_boolean(value), CASE sync.as_numeric(value) WHEN 0 THEN false WHEN 1 THEN true END);
COMMENT ON FUNCTION sync.as_boolean_of_number IS 'true or false, also as 1 or 0, or as a text; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_timestamptz_of_epoch(value jsonb) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN sync.as_numeric(value) BETWEEN -62135596800 AND 253402300799
            THEN to_timestamp(sync.as_numeric(value)::double precision) END;
COMMENT ON FUNCTION sync.as_timestamptz_of_epoch IS 'A time in seconds since 1970, also as a text; null for a year before 1 or after 9999, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_timestamptz_of_epoch_ms(value jsonb) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN sync.as_numeric(value) BETWEEN -62135596800000 AND 253402300799000
            THEN to_timestamp((sync.as_numeric(value) / 1000)::double precision) END;
COMMENT ON FUNCTION sync.as_timestamptz_of_epoch_ms IS 'A time in milliseconds since 1970, also as a text; null for a year before 1 or after 9999, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_date_of_epoch(value jsonb) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (sync.as_timestamptz_of_epoch(value) AT TIME ZONE 'UTC')::date;
COMMENT ON FUNCTION sync.as_date_of_epoch IS 'The day in UTC of a time in seconds since 1970, also as a text; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_date_of_epoch_ms(value jsonb) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (sync.as_timestamptz_of_epoch_ms(value) AT TIME ZONE 'UTC')::date;
COMMENT ON FUNCTION sync.as_date_of_epoch_ms IS 'The day in UTC of a time in milliseconds since 1970, also as a text; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_uuid(value jsonb) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string'
                 AND value #>> '{}' ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
            THEN (value #>> '{}')::uuid END;
COMMENT ON FUNCTION sync.as_uuid IS 'A UUID; null for any other value.';

CREATE OR REPLACE FUNCTION sync.as_jsonb(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(value, 'null');
COMMENT ON FUNCTION sync.as_jsonb IS 'Any value; null for null.';

-- The functions for arrays. An element that does not fit makes the array null.

CREATE OR REPLACE FUNCTION sync.as_text_array(value jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_text(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_text(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_text_array IS 'An array of sync.as_text; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_boolean_array(value jsonb) RETURNS boolean[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_boolean(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_boolean(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_boolean_array IS 'An array of sync.as_boolean; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_numeric_array(value jsonb) RETURNS numeric[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_numeric(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_numeric(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_numeric_array IS 'An array of sync.as_numeric; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_bigint_array(value jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_bigint(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_bigint(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_bigint_array IS 'An array of sync.as_bigint; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_integer_array(value jsonb) RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_integer(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_integer(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_integer_array IS 'An array of sync.as_integer; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_double_precision_array(value jsonb) RETURNS double precision[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_double_precision(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_double_precision(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_double_precision_array IS 'An array of sync.as_double_precision; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_date_array(value jsonb) RETURNS date[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_date(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_date(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_date_array IS 'An array of sync.as_date; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_timestamptz_array(value jsonb) RETURNS timestamptz[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_timestamptz(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_timestamptz(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_timestamptz_array IS 'An array of sync.as_timestamptz; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_uuid_array(value jsonb) RETURNS uuid[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_uuid(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_uuid(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_uuid_array IS 'An array of sync.as_uuid; null if an element does not fit, and for any other value.';

CREATE OR REPLACE FUNCTION sync.as_jsonb_array(value jsonb) RETURNS jsonb[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'array' THEN (
  SELECT CASE WHEN bool_and(element = 'null' OR sync.as_jsonb(element) IS NOT NULL) IS NOT FALSE
              THEN coalesce(array_agg(sync.as_jsonb(element) ORDER BY place), '{}') END
  FROM jsonb_array_elements(value) WITH ORDINALITY AS e (element, place)) END;
COMMENT ON FUNCTION sync.as_jsonb_array IS 'An array of sync.as_jsonb; null if an element does not fit, and for any other value.';
