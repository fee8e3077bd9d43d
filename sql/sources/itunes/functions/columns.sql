CREATE OR REPLACE FUNCTION itunes.string(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN nullif(value #>> '{}', '') END;
COMMENT ON FUNCTION itunes.string IS 'A text; null for an empty one, and for anything else.';

CREATE OR REPLACE FUNCTION itunes.number(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value)
  WHEN 'number' THEN value::numeric
  WHEN 'string' THEN
    CASE WHEN value #>> '{}' ~ '^[ \t-\r]*-?[0-9]{1,30}(\.[0-9]{1,60})?[ \t-\r]*$' THEN (value #>> '{}')::numeric END
END;
COMMENT ON FUNCTION itunes.number IS 'A number, or a text that reads as one; null for anything else.';

CREATE OR REPLACE FUNCTION itunes.whole(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN abs(itunes.number(value)) < 9e18 THEN
  CASE WHEN itunes.number(value) = trunc(itunes.number(value)) THEN itunes.number(value)::bigint END
END;
COMMENT ON FUNCTION itunes.whole IS 'A whole number however it is spelled: 12, 12.0 and "12" are equal; null for anything else.';

CREATE OR REPLACE FUNCTION itunes.ordinal(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.whole(value) BETWEEN 0 AND 2147483647 THEN itunes.whole(value)::integer END;
COMMENT ON FUNCTION itunes.ordinal IS 'A number or count of discs, tracks, …; null for anything else.';

CREATE OR REPLACE FUNCTION itunes.milliseconds(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.number(value) BETWEEN 0 AND 9e15 THEN round(itunes.number(value))::bigint END;
COMMENT ON FUNCTION itunes.milliseconds IS 'A length of time, to the millisecond; null for anything else.';

CREATE OR REPLACE FUNCTION itunes.money(value jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.number(value) >= 0 AND itunes.number(value) < 1e9 THEN round(itunes.number(value), 2) END;
COMMENT ON FUNCTION itunes.money IS 'A price; null for -1, by which the upstream says that something is not sold singly, and for anything else.';

CREATE OR REPLACE FUNCTION itunes.day(value jsonb) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.string(value) ~ '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?![0-9])' THEN
  -- Without this check, a day that the month does not have, such as April 31, would be an error.
  CASE WHEN extract(month FROM make_date(left(itunes.string(value), 4)::integer,
                                         substr(itunes.string(value), 6, 2)::integer, 1)
                               + substr(itunes.string(value), 9, 2)::integer - 1)
            = substr(itunes.string(value), 6, 2)::integer
       THEN make_date(left(itunes.string(value), 4)::integer, substr(itunes.string(value), 6, 2)::integer,
                      substr(itunes.string(value), 9, 2)::integer) END
END;
COMMENT ON FUNCTION itunes.day IS 'The day with which a time in ISO 8601 or like 2005-01-20 08:00:00 Etc/GMT begins; null for anything else. The store writes days as midnight or noon in Pacific time, so the day is taken as written.';

CREATE OR REPLACE FUNCTION itunes.instant(value jsonb) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN itunes.string(value) ~ (
  '^.{10}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?'
  || '( ?(Z|(Etc/)?(GMT|UTC)|[+-](0[0-9]|1[0-4]):?[0-5][0-9]))?$')
THEN
  (itunes.day(value) + substr(itunes.string(value), 12, 8)::time) AT TIME ZONE 'UTC'
  - coalesce(substring(itunes.string(value) from '([+-][0-9]{2}):?[0-9]{2}$') || ':'
             || substring(itunes.string(value) from '[+-][0-9]{2}:?([0-9]{2})$'), '0')::interval hour to minute
END;
COMMENT ON FUNCTION itunes.instant IS 'A time in ISO 8601, or like 2005-01-20 08:00:00 Etc/GMT, to the second; UTC if no zone is named. Null for anything else, including a day without a time.';

CREATE OR REPLACE FUNCTION itunes.genre_names(value jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT name FROM (
    SELECT coalesce(itunes.string(genre), itunes.string(genre->'name')) AS name, n
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[]' END)
         WITH ORDINALITY AS e (genre, n)
  ) AS named
  WHERE name IS NOT NULL ORDER BY n);
COMMENT ON FUNCTION itunes.genre_names IS 'Names of an array of texts, or of objects with names.';

CREATE OR REPLACE FUNCTION itunes.folded(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- Most texts need only lower case.
RETURN CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
            ELSE sync.lower(normalize(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)) END;
COMMENT ON FUNCTION itunes.folded IS 'A text in the form that searches compare: lower case, without accents, full-width letters as normal ones.';
