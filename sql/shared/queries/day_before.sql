-- The beginning of a day in UTC.
-- $1 days before today integer
SELECT ((date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC') - make_interval(days => $1::integer))
        AT TIME ZONE 'UTC')::text
