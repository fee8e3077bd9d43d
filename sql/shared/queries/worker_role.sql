-- The connected role, quoted for a GRANT, whether this mirror has given the role of workers its rights, and whether the
-- connected role writes jobs. Roles belong to the whole cluster, so another mirror can have created the role of workers.
SELECT quote_ident(current_user) AS connected_role,
       coalesce((SELECT has_table_privilege(oid, 'sync.job', 'UPDATE') FROM pg_roles WHERE rolname = 'syncctl_worker'),
                false) AS has_worker,
       has_table_privilege('sync.job', 'UPDATE') AS writes_jobs
