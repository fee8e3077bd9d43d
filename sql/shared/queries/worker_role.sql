-- The connected role, quoted for a GRANT, whether the role of workers exists, and whether the connected role writes jobs.
SELECT quote_ident(current_user) AS connected_role,
       EXISTS (SELECT FROM pg_roles WHERE rolname = 'syncctl_worker') AS has_worker,
       has_table_privilege('sync.job', 'UPDATE') AS writes_jobs
