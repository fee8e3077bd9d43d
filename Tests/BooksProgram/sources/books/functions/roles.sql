-- This function grants the roles of sql/roles.sql their rights on this source. sql/roles.sql calls it as the owner.

CREATE OR REPLACE FUNCTION books.grant_rights() RETURNS void
LANGUAGE sql
AS $$
  GRANT USAGE ON SCHEMA books TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA books TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT INSERT, UPDATE ON books.book TO syncctl_worker;
$$;
COMMENT ON FUNCTION books.grant_rights IS 'Grants the roles of syncctl what they need of this schema; sql/roles.sql calls it.';
