-- The connected role, quoted for a GRANT, and whether it is a worker.
SELECT quote_ident(current_user),
       EXISTS (SELECT FROM pg_roles WHERE rolname = 'syncctl_worker' AND pg_has_role(oid, 'MEMBER'))
