-- Citus needs each statement alone, as a block of PL/pgSQL runs it.
DO $$
BEGIN
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.search
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.search_result
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.search_history
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.search_publication
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.chart_entry
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.chart_history
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
CREATE OR REPLACE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON itunes.chart_publication
FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM 'itunes')
EXECUTE FUNCTION sync.forget_published('itunes');
END $$;
