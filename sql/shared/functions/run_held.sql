-- sync.run.guarded is true only for runs that --confirm-vanish can continue. If a run stopped because of too many
-- unusable items, guarded is false, and only the error text shows that a guard stopped the run.

CREATE OR REPLACE FUNCTION sync.run_held(status text, guarded boolean, error text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN status = 'failed'
  AND (guarded OR coalesce(error LIKE '% items %could not be used; %', false));
COMMENT ON FUNCTION sync.run_held IS 'Whether a safety guard stopped a run (exit status 86), so that a user must decide what to do. The arguments are columns of sync.run.';
