-- A page does not overwrite a row that was requested later than the page. Request times follow the database's clock.

CREATE OR REPLACE FUNCTION sync.request_time(microseconds bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT to_timestamp(microseconds / 1000000::double precision)';
COMMENT ON FUNCTION sync.request_time IS 'A request time, sent as microseconds since 1970.';

-- A stored time in the future is ignored, because the clock must have been set back since.
CREATE OR REPLACE FUNCTION sync.is_newer(stored timestamptz, requested timestamptz) RETURNS boolean
LANGUAGE sql VOLATILE PARALLEL SAFE
AS 'SELECT coalesce(stored > requested AND stored <= clock_timestamp(), false)';
COMMENT ON FUNCTION sync.is_newer IS 'Whether content that was requested at the first time is newer than content that was requested at the second.';
