-- What the roles of sql/roles.sql may do with this source. That script calls it, as the owner.

CREATE OR REPLACE FUNCTION jikan.grant_rights() RETURNS void
LANGUAGE sql
AS $$
  -- What an earlier version of this function gave and this one does not.
  REVOKE ALL ON ALL TABLES IN SCHEMA jikan FROM syncctl_worker, syncctl_user, syncctl_reader;
  REVOKE ALL ON SCHEMA jikan FROM syncctl_worker, syncctl_user, syncctl_reader;

  GRANT USAGE ON SCHEMA jikan TO syncctl_worker, syncctl_user, syncctl_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA jikan TO syncctl_worker, syncctl_user, syncctl_reader;

  GRANT INSERT, UPDATE ON jikan.media, jikan.media_counters, jikan.ranking, jikan.genre, jikan.media_links, jikan.media_title
    TO syncctl_worker;
  GRANT INSERT, UPDATE ON jikan.ranking_history TO syncctl_worker;
  GRANT INSERT ON jikan.ranking_publication, jikan.published_order TO syncctl_worker;
  -- Again what the functions' file says: a restored backup has no rights, so that everybody may call them.
  REVOKE EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history FROM PUBLIC;
  -- They make this and the next months of the history, and drop those that the owner does not keep, as the owner.
  GRANT EXECUTE ON FUNCTION jikan.make_ranking_history_partition, jikan.drop_ranking_history TO syncctl_worker;
  -- Entries that have left a list, superseded orders, and what is derived from a document that is not there. No item and
  -- no history is ever deleted.
  GRANT DELETE ON jikan.ranking, jikan.genre, jikan.published_order, jikan.media_counters, jikan.media_links,
    jikan.media_title TO syncctl_worker;
$$;
COMMENT ON FUNCTION jikan.grant_rights IS 'Grants the roles of syncctl what they need of this schema; sql/roles.sql calls it.';
