-- The identity of a declared source's items: the values of the key's members, however the service spells them.
-- `RestKey` in the program has the same rules.

CREATE OR REPLACE FUNCTION sync.key_text(value jsonb, type text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN type IN ('bigint', 'integer') AND sync.as_bigint(value) IS NOT NULL THEN sync.as_bigint(value)::text
  WHEN type = 'uuid' AND sync.as_uuid(value) IS NOT NULL THEN sync.as_uuid(value)::text
  WHEN jsonb_typeof(value) = 'number' THEN sync.as_bigint(value)::text
  WHEN jsonb_typeof(value) = 'string' THEN nullif(value #>> '{}', '')
END;
COMMENT ON FUNCTION sync.key_text IS 'The canonical text of a member of a key whose column has the type: the digits of a whole number, a UUID in lower case, and otherwise the text itself. Null for a value that identifies no item.';

CREATE OR REPLACE FUNCTION sync.key_json(value jsonb, type text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN type IN ('bigint', 'integer') AND sync.as_bigint(value) IS NOT NULL THEN sync.key_text(value, type)
            ELSE to_jsonb(sync.key_text(value, type))::text END;
COMMENT ON FUNCTION sync.key_json IS 'The canonical JSON of a member of a key: a number for the types bigint and integer, and otherwise a text.';

CREATE OR REPLACE FUNCTION sync.key_hash(members text[]) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN array_position(members, NULL) IS NULL THEN greatest(1, (
  ('x' || encode(substr(sha256(convert_to('[' || array_to_string(members, ',') || ']', 'UTF8')), 1, 8), 'hex'))::bit(64)
    >> 1)::bigint) END;
COMMENT ON FUNCTION sync.key_hash IS 'The syncctl_key of a hashed key: the first 63 bits of the SHA-256 of the JSON array of the members (sync.key_json). Null if a member is null.';

CREATE OR REPLACE FUNCTION sync.expect_same_key(stored jsonb, sent jsonb, types text[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF stored = sent THEN
    RETURN true;
  END IF;
  IF (SELECT bool_and(sync.key_text(stored->place, type) = sync.key_text(sent->place, type))
      FROM (SELECT (ordinality - 1)::integer AS place, type FROM unnest(types) WITH ORDINALITY AS t (type, ordinality)) m)
  THEN
    IF (SELECT bool_and(jsonb_typeof(stored->place) = jsonb_typeof(sent->place))
        FROM generate_series(0, cardinality(types) - 1) AS place) THEN
      RETURN true;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'unique_violation', CONSTRAINT = 'key_type',
      MESSAGE = format('the key %s has another JSON type than the stored key %s', sent, stored);
  END IF;
  RAISE EXCEPTION USING ERRCODE = 'unique_violation',
    MESSAGE = format('the key %s has the same hash as the stored key %s', sent, stored);
END $$;
COMMENT ON FUNCTION sync.expect_same_key IS 'true if the members of two keys have the same values and JSON types. Fails otherwise, so that the second item goes to quarantine instead of overwriting the first. The types are those of the key''s columns.';
