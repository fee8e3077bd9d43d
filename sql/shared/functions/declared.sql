-- Functions of the tables of declared sources.

CREATE OR REPLACE FUNCTION sync.members(value jsonb, names text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_object_agg(name, value->name) FILTER (WHERE value ? name), '{}') FROM unnest(names) AS name);
COMMENT ON FUNCTION sync.members IS 'The object with only the named members.';

CREATE OR REPLACE FUNCTION sync.with_counters(raw jsonb, counters jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- A manual edit can have stored a value that is not an object.
RETURN raw || coalesce(CASE WHEN jsonb_typeof(counters) = 'object' THEN (
  SELECT jsonb_object_agg(key, value) FROM jsonb_each(counters) WHERE raw ? key) END, '{}');
COMMENT ON FUNCTION sync.with_counters IS 'The document with its stored counters replaced by the current counters.';

