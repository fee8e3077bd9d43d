-- Citus needs each statement alone, as a block of PL/pgSQL runs it.
DO $$
BEGIN
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON jikan.ranking
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'jikan')
EXECUTE FUNCTION sync.forget_published('jikan');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON jikan.ranking_history
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'jikan')
EXECUTE FUNCTION sync.forget_published('jikan');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON jikan.ranking_publication
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'jikan')
EXECUTE FUNCTION sync.forget_published('jikan');
END $$;
