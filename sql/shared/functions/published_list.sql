-- What sync.published_list says is believed, so whatever writes to a published list but its publication takes it back.
-- Each source has this trigger on the tables that publishing writes: sql/sources/NAME/functions/published.sql.

CREATE OR REPLACE FUNCTION sync.forget_published() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog
AS $$
BEGIN
  -- The count is for a publication that is under way and does not see this transaction's rows.
  UPDATE sync.published_list SET digest = NULL, writes = writes + 1 WHERE source = TG_ARGV[0];
  RETURN NULL;
END $$;
COMMENT ON FUNCTION sync.forget_published IS 'Trigger of the tables that hold published lists: no digest of a list of the source (its argument) is believed any more. Publications, which set syncctl.publishing for their transaction, do not call it.';
