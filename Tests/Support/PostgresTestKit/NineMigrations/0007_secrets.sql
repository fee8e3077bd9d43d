-- What a walk asked for is no longer stored as text, because headers and parameters of a declared source can have secrets.
-- It is only compared, so its HMAC-SHA256 with a random key of this database is enough.

CREATE TABLE sync.fingerprint_key (
  id  boolean PRIMARY KEY DEFAULT true CHECK (id),
  key bytea NOT NULL CHECK (octet_length(key) = 32)
        DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
COMMENT ON TABLE  sync.fingerprint_key IS 'The key of the fingerprints in sync.walk. Only the owner and the workers can read it, so that nobody else can test guesses.';
COMMENT ON COLUMN sync.fingerprint_key.id IS 'Always true: the table has one row.';
COMMENT ON COLUMN sync.fingerprint_key.key IS '32 random bytes.';
INSERT INTO sync.fingerprint_key DEFAULT VALUES;

-- The same values get the same fingerprints from syncctl, so that no walk starts again.
DO $$
DECLARE
  random_key CONSTANT bytea := (SELECT key FROM sync.fingerprint_key);
  inner_key bytea := decode(repeat('36', 64), 'hex');
  outer_key bytea := decode(repeat('5c', 64), 'hex');
BEGIN
  FOR place IN 0..31 LOOP
    inner_key := set_byte(inner_key, place, get_byte(inner_key, place) # get_byte(random_key, place));
    outer_key := set_byte(outer_key, place, get_byte(outer_key, place) # get_byte(random_key, place));
  END LOOP;
  UPDATE sync.walk
  SET parameters = 'hmac:' || encode(sha256(outer_key || sha256(inner_key || convert_to(parameters, 'UTF8'))), 'hex')
  WHERE parameters <> '';
END $$;
COMMENT ON COLUMN sync.walk.parameters IS 'Fingerprint of what was asked for besides (HMAC-SHA256 with sync.fingerprint_key); pages with other parameters never continue this walk. Empty if nothing was.';

-- Workers can read the key. Until sql/roles.sql is run again, they would be refused without this right.
DO $$
DECLARE
  statement text;
BEGIN
  FOR statement IN
    SELECT format('GRANT SELECT ON sync.fingerprint_key TO %I', r.rolname)
    FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'sync.walk'::regclass AND a.grantee <> c.relowner AND a.privilege_type = 'INSERT'
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;
