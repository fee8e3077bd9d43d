-- Creates three roles with only the rights that they need. The owner of the schema runs this file after each migration:
--   psql -1 -f sql/roles.sql "$SYNCCTL_DATABASE_URL"
-- The roles cannot log in. Grant one of them to a login role, e.g. GRANT syncctl_worker TO name:
--   syncctl_worker   reads everything and writes only the mirror
--   syncctl_user     reads everything and writes only the users' data (schema app)
--   syncctl_reader   reads the mirror, but no personal data of favorites (such as notes) and no history of searches
-- Only the owner can migrate the schema or change the retention.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['syncctl_worker', 'syncctl_user', 'syncctl_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- All databases share roles, and another session has just created this one.
      END;
    END IF;
  END LOOP;
END $$;

-- Removes all rights first, because an earlier version of this file can have granted more rights.
REVOKE ALL ON ALL TABLES IN SCHEMA sync, app FROM syncctl_worker, syncctl_user, syncctl_reader;
REVOKE ALL ON SCHEMA sync, app FROM syncctl_worker, syncctl_user, syncctl_reader;

GRANT USAGE ON SCHEMA sync, app TO syncctl_worker, syncctl_user, syncctl_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA sync, app TO syncctl_worker, syncctl_user;

GRANT SELECT ON ALL TABLES IN SCHEMA sync TO syncctl_reader;
REVOKE ALL ON sync.fingerprint_key FROM syncctl_user, syncctl_reader;
GRANT SELECT ON app.favorite_item, app.favorite_history TO syncctl_reader;
GRANT SELECT (collection, source, kind, id, added_at, rank_at_add) ON app.favorite TO syncctl_reader;

GRANT INSERT, UPDATE, DELETE ON app.favorite TO syncctl_user;

GRANT INSERT, UPDATE ON sync.walk, sync.run, sync.stream_state, sync.quarantine, sync.publication, sync.published_list
  TO syncctl_worker;
GRANT INSERT ON sync.run_quarantine TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.walk_page, sync.walk_list, sync.list_state TO syncctl_worker;
GRANT INSERT, DELETE ON sync.verification TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.rate_budget, sync.rate_permit, sync.rate_window, sync.source_index TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.job, sync.job_run, sync.worker TO syncctl_worker;
-- Not the other columns: the owner's migrate creates and drops tables and columns by them.
GRANT UPDATE (cursor, reached, reached_by) ON sync.declared_resource TO syncctl_worker;
-- The worker deletes old walks (with their pages), job runs and workers. No role can delete jobs.
GRANT DELETE ON sync.walk, sync.list_state, sync.job_run, sync.worker TO syncctl_worker;
-- Reports contain only data that syncctl_reader can read anyway.
REVOKE ALL ON ALL TABLES IN SCHEMA report FROM syncctl_worker, syncctl_user, syncctl_reader;
GRANT USAGE ON SCHEMA report TO syncctl_worker, syncctl_user, syncctl_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA report TO syncctl_worker, syncctl_user, syncctl_reader;
-- After a backup is restored, PUBLIC can execute every function, because a backup contains no rights.
REVOKE EXECUTE ON FUNCTION sync.drop_old FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sync.drop_old TO syncctl_worker;

-- Each source has a function that grants rights on its own schema (sql/sources/NAME/functions/roles.sql). Calling
-- the functions that sync.function_set names is safe, because only the owner can write this table.
DO $$
DECLARE
  source text;
BEGIN
  FOR source IN
    SELECT split_part(folder, '/', 2) FROM sync.function_set
    WHERE comments ? (split_part(folder, '/', 2) || '.grant_rights()') ORDER BY folder
  LOOP
    EXECUTE pg_catalog.format('SELECT %I.grant_rights()', source);
  END LOOP;
END $$;
