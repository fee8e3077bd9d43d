-- sync.run.guarded marks only runs that --confirm-vanish can continue. A run that stopped because of too many unusable
-- items cannot be continued, so only its error text identifies it.

CREATE OR REPLACE FUNCTION sync.run_held(status text, guarded boolean, error text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN status = 'failed'
  AND (guarded OR coalesce(error LIKE '% items %could not be used; %', false));
COMMENT ON FUNCTION sync.run_held IS 'Whether a safety guard stopped a run (exit status 86), so that a user has to look; its arguments are columns of sync.run.';
