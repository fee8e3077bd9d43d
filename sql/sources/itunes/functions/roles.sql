CREATE OR REPLACE FUNCTION itunes.grant_rights() RETURNS void
LANGUAGE sql
AS $$
  -- Earlier versions of this function can have granted more rights.
  REVOKE ALL ON ALL TABLES IN SCHEMA itunes FROM syncctl_worker, syncctl_user, syncctl_reader;
  REVOKE ALL ON SCHEMA itunes FROM syncctl_worker, syncctl_user, syncctl_reader;

  GRANT USAGE ON SCHEMA itunes TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA itunes TO syncctl_worker, syncctl_user, syncctl_reader;
  -- The history of searches is personal.
  REVOKE ALL ON itunes.lookup_history FROM syncctl_reader;
  GRANT INSERT, UPDATE ON itunes.item, itunes.search, itunes.search_result, itunes.search_history, itunes.lookup_absence,
    itunes.chart_item, itunes.chart_entry, itunes.chart_history TO syncctl_worker;
  GRANT INSERT ON itunes.search_publication, itunes.chart_publication, itunes.lookup_history, itunes.price_change
    TO syncctl_worker;
  GRANT DELETE ON itunes.search_result, itunes.chart_entry, itunes.lookup_absence TO syncctl_worker;
$$;
COMMENT ON FUNCTION itunes.grant_rights IS 'Grants the roles of syncctl the rights that they need in this schema. sql/roles.sql calls the function.';
