-- What the roles of sql/roles.sql may do with this source. That script calls it, as the owner.

CREATE OR REPLACE FUNCTION pokeapi.grant_rights() RETURNS void
LANGUAGE sql
AS $$
  -- What an earlier version of this function gave and this one does not.
  REVOKE ALL ON ALL TABLES IN SCHEMA pokeapi FROM syncctl_worker, syncctl_user, syncctl_reader;
  REVOKE ALL ON SCHEMA pokeapi FROM syncctl_worker, syncctl_user, syncctl_reader;

  GRANT USAGE ON SCHEMA pokeapi TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA pokeapi TO syncctl_worker, syncctl_user, syncctl_reader;

  -- Documents alone. What is derived from them is written by pokeapi.derive, which runs as the owner of the schema, so
  -- that no table can be made to contradict its document.
  GRANT INSERT, UPDATE ON pokeapi.resource TO syncctl_worker;
  -- Again what the function's file says: a restored backup has no rights, so that everybody may call it.
  REVOKE EXECUTE ON FUNCTION pokeapi.derive FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION pokeapi.derive TO syncctl_worker;
$$;
COMMENT ON FUNCTION pokeapi.grant_rights IS 'Grants the roles of syncctl what they need of this schema; sql/roles.sql calls it.';
