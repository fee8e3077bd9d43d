-- Three roles with exactly what they need. Run it as the owner of the schema, after every migration:
--   psql -1 -f sql/roles.sql "$SYNCCTL_DATABASE_URL"
-- None can log in; GRANT syncctl_worker TO whoever_runs_syncctl, and so on:
--   syncctl_worker   reads everything and writes the mirror, and nothing else
--   syncctl_user     reads everything and writes the data of users: the schema app
--   syncctl_reader   reads the mirror, but no notes, no other personal data of favorites, and no history of searches
-- Migrations and changes of the retention need the owner.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['syncctl_worker', 'syncctl_user', 'syncctl_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- Roles belong to the whole server: another session has just created it for another database.
      END;
    END IF;
  END LOOP;
END $$;

-- Rights that an earlier version of this file granted and this one does not.
REVOKE ALL ON ALL TABLES IN SCHEMA sync, app FROM syncctl_worker, syncctl_user, syncctl_reader;
REVOKE ALL ON SCHEMA sync, app FROM syncctl_worker, syncctl_user, syncctl_reader;

GRANT USAGE ON SCHEMA sync, app TO syncctl_worker, syncctl_user, syncctl_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA sync, app TO syncctl_worker, syncctl_user;

GRANT SELECT ON ALL TABLES IN SCHEMA sync TO syncctl_reader;
GRANT SELECT ON app.favorite_item, app.favorite_history TO syncctl_reader;
GRANT SELECT (collection, source, kind, id, added_at, rank_at_add) ON app.favorite TO syncctl_reader;

GRANT INSERT, UPDATE, DELETE ON app.favorite TO syncctl_user;

GRANT INSERT, UPDATE ON sync.walk, sync.run, sync.stream_state, sync.quarantine, sync.publication, sync.published_list
  TO syncctl_worker;
GRANT INSERT ON sync.run_quarantine TO syncctl_worker;
-- After a verification, the pages with wrong items are fetched again.
GRANT INSERT, UPDATE ON sync.walk_page TO syncctl_worker;
GRANT INSERT, DELETE ON sync.verification TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.rate_budget, sync.rate_permit, sync.rate_window, sync.source_index TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.job, sync.job_run, sync.worker TO syncctl_worker;
-- Drops walks with their pages, runs of jobs, and workers after the retention. Jobs are never deleted.
GRANT DELETE ON sync.walk, sync.job_run, sync.worker TO syncctl_worker;
-- Reports show only data that the reader can see without them.
REVOKE ALL ON ALL TABLES IN SCHEMA report FROM syncctl_worker, syncctl_user, syncctl_reader;
GRANT USAGE ON SCHEMA report TO syncctl_worker, syncctl_user, syncctl_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA report TO syncctl_worker, syncctl_user, syncctl_reader;
-- Drops rows that are older than the retention. Revoked again, because a restored backup contains no rights.
REVOKE EXECUTE ON FUNCTION sync.drop_old FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sync.drop_old TO syncctl_worker;

-- Each source grants rights on its own schema in sql/sources/NAME/functions/roles.sql. Only the owner writes the table
-- of source names.
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
