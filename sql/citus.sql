-- Distributes the sources over the machines of a Citus cluster: each source's schema is moved to one machine, and the
-- schemas sync and app stay on the coordinator. The owner of the mirror, a superuser, runs this file on the coordinator
-- after each migration, after sql/roles.sql, while no run is active:
--   psql -v ON_ERROR_STOP=1 -f sql/citus.sql "$SYNCCTL_DATABASE_URL"
-- The file can be run again. It changes nothing that is already distributed.

\set QUIET on
SET client_min_messages = error;
-- The triggers write only tables of their own schema, which are on the same machine.
SET citus.enable_unsafe_triggers = on;
SET search_path = pg_catalog;

-- Citus cannot plan a function in SQL that reads distributed tables. The same query in PL/pgSQL works.
DO $do$
DECLARE
  f record;
BEGIN
  FOR f IN
    SELECT pg_get_functiondef(p.oid) AS definition,
           coalesce(regexp_replace(pg_get_function_sqlbody(p.oid), '^BEGIN ATOMIC|END$', '', 'g'), p.prosrc) AS body
    FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
    WHERE l.lanname = 'sql' AND p.prokind = 'f' AND p.provolatile = 's' AND p.proretset
      AND p.pronamespace::regnamespace::text IN (
        SELECT split_part(folder, '/', 2) FROM sync.function_set WHERE folder LIKE 'sources/%')
  LOOP
    EXECUTE replace(regexp_replace(f.definition, '\n(BEGIN ATOMIC|AS \$).*$', ''), 'LANGUAGE sql', 'LANGUAGE plpgsql')
      || format(E'\nAS $function$\n#variable_conflict use_column\nBEGIN RETURN QUERY\n%s;\nEND $function$',
                rtrim(btrim(f.body, E' \n'), ';'));
  END LOOP;
END $do$;

-- A machine with PokeAPI's tables asks the coordinator for favorites.
CREATE OR REPLACE FUNCTION pokeapi.owned() RETURNS SETOF bigint
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  query CONSTANT text := 'SELECT array_agg(id) FROM app.favorite
                          WHERE collection = ''owned'' AND source = ''pokeapi'' AND kind = ''pokemon''';
  ids bigint[];
BEGIN
  IF to_regclass('app.favorite') IS NOT NULL THEN
    EXECUTE query INTO ids;
  ELSE
    SELECT nullif(result, '') INTO ids FROM run_command_on_coordinator(query);
  END IF;
  RETURN QUERY SELECT unnest(ids);
END $$;

-- Functions and triggers run on the machine of their tables, and read these tables there. Citus sends the settings to
-- all machines. A command reports a lost machine after node_connection_timeout, which is 30 s by default.
SELECT format('ALTER DATABASE %I SET %s', current_database(), setting) FROM unnest(ARRAY[
  'citus.allow_nested_distributed_execution = on', 'citus.propagate_set_commands = local',
  'citus.enable_unsafe_triggers = on', 'citus.enable_schema_based_sharding = on', 'timezone = UTC',
  'citus.node_connection_timeout = ''5s'''
]) AS setting \gexec
SET citus.allow_nested_distributed_execution = on;

-- With schema-based sharding, CREATE SCHEMA IF NOT EXISTS distributes also a schema that exists.
SET citus.enable_schema_based_sharding = off;

-- Runs statements on the other machines.
CREATE FUNCTION pg_temp.run_elsewhere(statements text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  failed text;
BEGIN
  SELECT result INTO failed FROM run_command_on_workers(format(
    'DO $x$ BEGIN SET LOCAL citus.enable_ddl_propagation = off; %s END $x$', statements)) WHERE NOT success;
  IF failed IS NOT NULL THEN
    RAISE EXCEPTION 'a machine refused a statement: %', failed;
  END IF;
END $$;

-- Citus creates a role or a schema on the other machines only if it is created after these machines were added.
SELECT pg_temp.run_elsewhere(string_agg(format(
  'IF to_regrole(%1$L) IS NULL THEN CREATE ROLE %1$s %2$s; END IF;',
  r.oid::regrole, CASE WHEN r.rolcanlogin THEN 'LOGIN' END), ' '))
FROM pg_roles r
WHERE NOT r.rolsuper AND (pg_has_role(r.oid, 'syncctl_worker', 'MEMBER')
  OR pg_has_role(r.oid, 'syncctl_user', 'MEMBER') OR pg_has_role(r.oid, 'syncctl_reader', 'MEMBER')) \g /dev/null
SELECT pg_temp.run_elsewhere(string_agg(format('GRANT %s TO %s;', roleid::regrole, member::regrole), ' '))
FROM pg_auth_members
WHERE pg_has_role(roleid, 'syncctl_worker', 'MEMBER') OR pg_has_role(roleid, 'syncctl_user', 'MEMBER')
  OR pg_has_role(roleid, 'syncctl_reader', 'MEMBER') \g /dev/null
CREATE SCHEMA IF NOT EXISTS sync;
CREATE SCHEMA IF NOT EXISTS app;
CREATE SCHEMA IF NOT EXISTS report;
SELECT format('GRANT USAGE ON SCHEMA %s TO %s', n.oid::regnamespace, a.grantee::regrole)
FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) a
WHERE n.nspname IN ('sync', 'app', 'report') AND a.privilege_type = 'USAGE' AND a.grantee NOT IN (0, n.nspowner) \gexec

SELECT citus_schema_distribute(n.oid)
FROM sync.function_set f JOIN pg_namespace n ON n.nspname = split_part(f.folder, '/', 2)
WHERE f.folder LIKE 'sources/%' AND n.oid NOT IN (SELECT schemaid FROM pg_dist_schema)
ORDER BY n.nspname \g /dev/null

-- The coordinator keeps a hidden copy of the rows until then.
SELECT truncate_local_data_after_distributing_table(c.oid)
FROM pg_class c JOIN pg_dist_schema s ON s.schemaid = c.relnamespace
WHERE c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relispartition AND pg_relation_size(c.oid) > 0 \g /dev/null

-- Citus sends a new function to the other machines only if the tables that it names were distributed before. The other
-- machines cannot check the bodies, because they lack the coordinator's tables.
SET citus.propagate_set_commands = local;
BEGIN;
SET LOCAL check_function_bodies = off;
SELECT create_distributed_function(p.oid::regprocedure)
FROM pg_proc p
WHERE p.prokind IN ('f', 'a')
  AND (p.pronamespace IN (SELECT schemaid FROM pg_dist_schema)
    OR p.pronamespace = 'sync'::regnamespace AND NOT EXISTS (
      SELECT FROM pg_depend d
      WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.refclassid = 'pg_class'::regclass))
  AND NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)
ORDER BY p.oid \g /dev/null
COMMIT;
SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure)
FROM pg_proc p JOIN pg_dist_object o ON o.classid = 'pg_proc'::regclass AND o.objid = p.oid
WHERE 0 <> ALL (SELECT grantee FROM aclexplode(p.proacl)) AND p.proacl IS NOT NULL \gexec

-- Citus plans each statement with the values of its parameters.
SELECT format('ALTER FUNCTION %s RESET plan_cache_mode', p.oid::regprocedure)
FROM pg_proc p JOIN pg_dist_schema s ON s.schemaid = p.pronamespace
WHERE 'plan_cache_mode=force_generic_plan' = ANY (p.proconfig) \gexec

-- `syncctl web` acts as one of these roles, and the machines connect to each other with the role that acts.
ALTER ROLE syncctl_user LOGIN;
ALTER ROLE syncctl_reader LOGIN;

-- In a transaction, only one role can use the tables of a machine. So this function runs with the rights of its caller.
ALTER FUNCTION pokeapi.derive SECURITY INVOKER;
GRANT INSERT, DELETE ON ALL TABLES IN SCHEMA pokeapi TO syncctl_worker;

-- syncctl_worker cannot create and drop months of the history. So this file creates them for two years, and drops old
-- months.
CREATE OR REPLACE FUNCTION jikan.tidy_ranking_history() RETURNS void LANGUAGE sql AS '';
SELECT count(jikan.attach_ranking_history_partition(month)), jikan.drop_ranking_history()
FROM generate_series(now(), now() + interval '2 years', interval '1 month') AS month \g /dev/null

-- Citus cannot look up single items in a view of several sources.
CREATE OR REPLACE FUNCTION app.item_of(of_source text, of_kind text, of_id bigint) RETURNS SETOF app.favorite_item
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF to_regclass(format('%I.favorite_item', of_source)) IS NOT NULL THEN
    RETURN QUERY EXECUTE format(
      'SELECT $1, kind, id, title, title_japanese, type, score, url, state, (to_jsonb(i)->>''rank'')::integer
       FROM %I.favorite_item i WHERE kind = $2 AND id = $3', of_source) USING of_source, of_kind, of_id;
  END IF;
END $$;
CREATE OR REPLACE FUNCTION app.history_of(of_source text, of_kind text, of_id bigint) RETURNS SETOF app.favorite_history
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF to_regclass(format('%I.favorite_history', of_source)) IS NOT NULL THEN
    RETURN QUERY EXECUTE format(
      'SELECT $1, kind, id, list, list_began_at, what, value, valid_from, valid_to
       FROM %I.favorite_history WHERE kind = $2 AND id = $3', of_source) USING of_source, of_kind, of_id;
  END IF;
END $$;

-- Citus sends the rights on tables to the other machines, but not the rights on views.
SELECT pg_temp.run_elsewhere(string_agg(format('GRANT SELECT ON %s TO %I;', c.oid::regclass, r.rolname), ' '))
FROM pg_class c JOIN pg_dist_schema s ON s.schemaid = c.relnamespace
JOIN pg_dist_object o ON o.classid = 'pg_class'::regclass AND o.objid = c.oid
CROSS JOIN aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
WHERE c.relkind = 'v' AND a.privilege_type = 'SELECT' \g /dev/null
