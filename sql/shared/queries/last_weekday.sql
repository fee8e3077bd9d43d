-- The beginning of the latest day in UTC before today with this number.
-- $1 number of the day from Monday, 1 to 7 integer
SELECT ((today - make_interval(days => (extract(isodow FROM today)::integer - $1::integer + 6) % 7 + 1))
        AT TIME ZONE 'UTC')::text
FROM (SELECT date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC') AS today) AS now
