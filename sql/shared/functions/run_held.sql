-- sync.run.guarded marks only the runs that --confirm-vanish can continue. Too many unusable items cannot be confirmed,
-- and such a run is known by its error alone. The second text is that of earlier versions.

CREATE OR REPLACE FUNCTION sync.run_held(status text, guarded boolean, error text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN status = 'failed'
  AND (guarded OR coalesce(error LIKE '% items %could not be used; %', false));
COMMENT ON FUNCTION sync.run_held IS 'Whether a safety guard stopped a run (exit status 86), so that a user has to look; its arguments are columns of sync.run.';
