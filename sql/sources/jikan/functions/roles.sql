CREATE OR REPLACE FUNCTION jikan.grant_rights() RETURNS void
LANGUAGE sql
AS $$
  -- Earlier versions of this function can have granted more rights.
  REVOKE ALL ON ALL TABLES IN SCHEMA jikan FROM syncctl_worker, syncctl_user, syncctl_reader;
  REVOKE ALL ON SCHEMA jikan FROM syncctl_worker, syncctl_user, syncctl_reader;

  GRANT USAGE ON SCHEMA jikan TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA jikan TO syncctl_worker, syncctl_user, syncctl_reader;

  GRANT INSERT, UPDATE ON jikan.media, jikan.media_counters, jikan.ranking, jikan.genre, jikan.media_links, jikan.media_title
    TO syncctl_worker;
  GRANT INSERT, UPDATE ON jikan.ranking_history TO syncctl_worker;
  GRANT INSERT ON jikan.ranking_publication, jikan.published_order TO syncctl_worker;
  -- After a backup is restored, PUBLIC can execute every function, because a backup contains no rights.
  REVOKE EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history TO syncctl_worker;
  GRANT DELETE ON jikan.ranking, jikan.genre, jikan.published_order, jikan.media_counters, jikan.media_links,
    jikan.media_title TO syncctl_worker;
$$;
COMMENT ON FUNCTION jikan.grant_rights IS 'Grants the roles of syncctl the rights that they need in this schema. sql/roles.sql calls the function.';
