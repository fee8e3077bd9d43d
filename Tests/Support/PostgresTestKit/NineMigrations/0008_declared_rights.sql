-- The worker keeps only the rights to write declared tables. Earlier versions granted the rights on all relations of a
-- declared schema, also on views and on relations of users. A view is written with the rights of its owner.

DO $$
DECLARE
  statement text;
BEGIN
  FOR statement IN
    SELECT format('REVOKE INSERT, UPDATE, DELETE ON %s FROM syncctl_worker', c.oid::regclass)
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_roles r ON r.rolname = 'syncctl_worker'
    WHERE n.nspname IN (SELECT source FROM sync.declared_resource)
      AND EXISTS (
        SELECT FROM aclexplode(c.relacl) a
        WHERE a.grantee = r.oid AND a.privilege_type IN ('INSERT', 'UPDATE', 'DELETE') AND a.grantor = c.relowner)
      AND pg_has_role(c.relowner, 'USAGE')
      AND NOT (c.relkind = 'r' AND EXISTS (
        SELECT FROM sync.declared_resource d
        WHERE d.source = n.nspname
          AND c.relname IN (d.resource, d.resource || '_counters', d.resource || '_list')))
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;
