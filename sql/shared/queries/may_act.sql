-- Whether the connected role can take another role that has the rights of sql/roles.sql in this database.
-- $1 role
SELECT pg_has_role(r.oid, 'MEMBER') AND has_schema_privilege(r.oid, 'sync', 'USAGE')
       AND has_table_privilege(r.oid, 'sync.run', 'SELECT') AND has_table_privilege(r.oid, 'app.favorite_item', 'SELECT')
FROM pg_roles r WHERE r.rolname = $1
