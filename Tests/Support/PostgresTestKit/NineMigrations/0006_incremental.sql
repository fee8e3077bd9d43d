-- Incremental runs no longer lose changes that happen while a list without times is read.

ALTER TABLE sync.declared_resource ADD COLUMN reached jsonb, ADD COLUMN reached_by text;
COMMENT ON COLUMN sync.declared_resource.cursor IS 'Value that the next incremental walk sends, before the lag is subtracted. Each change up to this value is stored. null without incremental.';
COMMENT ON COLUMN sync.declared_resource.reached IS 'Second largest value of the incremental cursor that the walks have shown. The next walk that reaches the end can move the cursor to it.';
COMMENT ON COLUMN sync.declared_resource.reached_by IS 'Fingerprint of the list (origin and request) whose items had these values.';

-- A worker only moves the cursor. With rights on the other columns, it could make the owner drop columns.
DO $$
DECLARE
  grantee text;
BEGIN
  FOR grantee IN
    SELECT coalesce(quote_ident(r.rolname), 'PUBLIC')
    FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'sync.declared_resource'::regclass AND a.grantee <> c.relowner AND a.privilege_type = 'UPDATE'
  LOOP
    EXECUTE format('REVOKE UPDATE ON sync.declared_resource FROM %s', grantee);
    EXECUTE format('GRANT UPDATE (cursor, reached, reached_by) ON sync.declared_resource TO %s', grantee);
  END LOOP;
END $$;
