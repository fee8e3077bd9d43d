-- A page does not overwrite a row that was requested later than the page. Request times follow the database's clock.

CREATE OR REPLACE FUNCTION sync.request_time(microseconds bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT to_timestamp(microseconds / 1000000::double precision)';
COMMENT ON FUNCTION sync.request_time IS 'A request time, sent as microseconds since 1970.';

-- A stored time in the future is ignored, because the clock must have been set back since. The function is declared
-- IMMUTABLE although it reads the clock, because Citus accepts only such functions in ON CONFLICT. One argument must
-- always be a column, so that the planner cannot compute the result in advance.
CREATE OR REPLACE FUNCTION sync.is_newer(stored timestamptz, requested timestamptz) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS 'BEGIN RETURN coalesce(stored > requested AND stored <= clock_timestamp(), false); END';
COMMENT ON FUNCTION sync.is_newer IS 'Whether content that was requested at the first time is newer than content that was requested at the second.';

-- Declared IMMUTABLE for the same reason. Unlike a value from the SELECT of an INSERT, the time is after the wait for the
-- row's lock.
CREATE OR REPLACE FUNCTION sync.write_time(key bigint) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS 'BEGIN RETURN clock_timestamp(); END';
COMMENT ON FUNCTION sync.write_time IS 'The current time. The argument must be a column of the row that is written.';

CREATE OR REPLACE FUNCTION sync.send_settings(VARIADIC names text[]) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  name text;
BEGIN
  -- Citus sends SET LOCAL to the machines of a transaction, but not set_config.
  FOREACH name IN ARRAY names LOOP
    EXECUTE format('SET LOCAL %s = %L', name, current_setting(name));
  END LOOP;
  RETURN true;
END $$;
COMMENT ON FUNCTION sync.send_settings IS 'Sends local settings of a transaction to the other machines of a Citus cluster.';
