CREATE OR REPLACE FUNCTION pokeapi.grant_rights() RETURNS void
LANGUAGE sql
AS $$
  -- Earlier versions of this function can have granted more rights.
  REVOKE ALL ON ALL TABLES IN SCHEMA pokeapi FROM syncctl_worker, syncctl_user, syncctl_reader;
  REVOKE ALL ON SCHEMA pokeapi FROM syncctl_worker, syncctl_user, syncctl_reader;

  GRANT USAGE ON SCHEMA pokeapi TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA pokeapi TO syncctl_worker, syncctl_user, syncctl_reader;

  -- pokeapi.derive writes the derived tables as the owner of the schema, so that they cannot contradict the documents.
  GRANT INSERT, UPDATE ON pokeapi.resource TO syncctl_worker;
  -- After a backup is restored, PUBLIC can execute every function, because a backup contains no rights.
  REVOKE EXECUTE ON FUNCTION pokeapi.derive FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION pokeapi.derive TO syncctl_worker;
$$;
COMMENT ON FUNCTION pokeapi.grant_rights IS 'Grants the roles of syncctl the rights that they need in this schema. sql/roles.sql calls the function.';
