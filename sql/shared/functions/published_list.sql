-- Publishing skips a list whose digest in sync.published_list is unchanged. Writes outside a publication fire this
-- trigger, which deletes the digests. sql/sources/NAME/functions/published.sql creates the trigger for each table.

CREATE OR REPLACE FUNCTION sync.forget_published() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
  -- On a machine of a Citus cluster that is not the coordinator, the table does not exist, and the digests stay.
  IF to_regclass('sync.published_list') IS NOT NULL THEN
    -- A concurrent publication cannot see this transaction's rows, but sees that `writes` changed and stores no digest.
    UPDATE sync.published_list SET digest = NULL, writes = writes + 1 WHERE source = TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION sync.forget_published IS 'Trigger of the tables with published lists. Deletes the digests of the lists of a source (the trigger''s argument), so that the next runs publish the lists again. Publications set syncctl.publishing in their transaction and do not fire the trigger.';
