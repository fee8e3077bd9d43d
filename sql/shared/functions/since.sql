-- Functions of incremental walks. The file's name comes after members.sql, because these functions call functions of it.

CREATE OR REPLACE FUNCTION sync.cursor_span(value jsonb) RETURNS tstzrange
LANGUAGE sql STABLE PARALLEL SAFE
-- A day or a time without a zone can be of any place. The clocks of places are up to 14 hours ahead of UTC and up to 12
-- hours behind it.
RETURN CASE
  WHEN sync.as_timestamptz(value) IS NULL THEN NULL
  WHEN length(value #>> '{}') > 16 AND value #>> '{}' ~ '(Z|[+-][0-9]{2}(:?[0-9]{2})?)$'
    THEN tstzrange(sync.as_timestamptz(value), sync.as_timestamptz(value), '[]')
  ELSE tstzrange(sync.as_timestamptz(value) - interval '14 hours', sync.as_timestamptz(value)
    + CASE WHEN length(value #>> '{}') = 10 THEN interval '36 hours' ELSE interval '12 hours' END)
END;
COMMENT ON FUNCTION sync.cursor_span IS 'The time when a change can have received this value of an incremental cursor; null if the value is not a time in ISO 8601.';

CREATE OR REPLACE FUNCTION sync.later_cursor(one jsonb, other jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN one IS NULL OR one = 'null' THEN other
  WHEN other IS NULL OR other = 'null' THEN one
  WHEN sync.as_numeric(one) IS NOT NULL AND sync.as_numeric(other) IS NOT NULL
    THEN CASE WHEN sync.as_numeric(one) >= sync.as_numeric(other) THEN one ELSE other END
  WHEN sync.as_timestamptz(one) <> sync.as_timestamptz(other)
    THEN CASE WHEN sync.as_timestamptz(one) > sync.as_timestamptz(other) THEN one ELSE other END
  WHEN (one #>> '{}') COLLATE "C" >= (other #>> '{}') COLLATE "C" THEN one ELSE other
END;
COMMENT ON FUNCTION sync.later_cursor IS 'The larger of two values of an incremental cursor. Numbers are compared as numbers, also if they are texts, times as times, and other values as texts.';
