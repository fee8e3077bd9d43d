-- Three roles with exactly what they need. Run it as the owner of the schema, after every migration:
--   psql -1 -f sql/roles.sql "$SYNCCTL_DATABASE_URL"
-- None can log in; GRANT syncctl_worker TO whoever_runs_syncctl, and so on:
--   syncctl_worker   reads everything and writes the mirror, and nothing else
--   syncctl_user     reads everything and writes what belongs to people: the schema app
--   syncctl_reader   reads the mirror; nobody's notes, and no history of searches
-- Migrations, and how long the history is kept, are for the owner.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['syncctl_worker', 'syncctl_user', 'syncctl_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- Roles are the whole server's: somebody has just made it for another database.
      END;
    END IF;
  END LOOP;
END $$;

-- What an earlier version of this file gave and this one does not.
REVOKE ALL ON ALL TABLES IN SCHEMA sync, jikan, pokeapi, itunes, app
  FROM syncctl_worker, syncctl_user, syncctl_reader;
REVOKE ALL ON SCHEMA sync, jikan, pokeapi, itunes, app FROM syncctl_worker, syncctl_user, syncctl_reader;

GRANT USAGE ON SCHEMA sync, jikan, pokeapi, itunes, app TO syncctl_worker, syncctl_user, syncctl_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA sync, jikan, pokeapi, itunes, app TO syncctl_worker, syncctl_user;

GRANT SELECT ON ALL TABLES IN SCHEMA sync, jikan, pokeapi, itunes TO syncctl_reader;
REVOKE ALL ON itunes.lookup_history FROM syncctl_reader;
GRANT SELECT (collection, source, kind, id, added_at) ON app.favorite TO syncctl_reader;

GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA app TO syncctl_user;

GRANT INSERT, UPDATE ON sync.walk, sync.run, sync.stream_state, sync.quarantine, sync.publication TO syncctl_worker;
GRANT INSERT, UPDATE ON jikan.media, jikan.media_counters, jikan.ranking, jikan.genre TO syncctl_worker;
GRANT INSERT ON sync.walk_page, sync.run_quarantine TO syncctl_worker;
GRANT INSERT, UPDATE ON jikan.ranking_history TO syncctl_worker;
GRANT INSERT ON jikan.ranking_publication TO syncctl_worker;
-- They make this and the next months of the history, and drop those that the owner does not keep, as the owner.
GRANT EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history TO syncctl_worker;
-- Documents alone. What is derived from them is written by pokeapi.derive, which runs as the owner of the schema, so
-- that no table can be made to contradict its document.
GRANT INSERT, UPDATE ON pokeapi.resource TO syncctl_worker;
GRANT EXECUTE ON FUNCTION pokeapi.derive TO syncctl_worker;
GRANT INSERT, UPDATE ON itunes.item, itunes.search, itunes.search_result, itunes.search_history, itunes.lookup_absence,
  itunes.chart_item, itunes.chart_entry, itunes.chart_history TO syncctl_worker;
GRANT INSERT ON itunes.search_publication, itunes.chart_publication, itunes.lookup_history TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.rate_budget, sync.rate_window, sync.source_index TO syncctl_worker;
GRANT INSERT, UPDATE ON sync.job, sync.job_run TO syncctl_worker;
-- Old walks, whose pages go with them, entries that have left a list, notes of what was missing and was met again, and
-- runs of jobs that ended long ago. No item and no history is ever deleted, nor is a job.
GRANT DELETE ON sync.walk, sync.job_run, jikan.ranking, jikan.genre, itunes.search_result, itunes.chart_entry,
  itunes.lookup_absence TO syncctl_worker;
