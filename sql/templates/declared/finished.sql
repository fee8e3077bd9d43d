-- Moves the incremental cursor after a walk that reached the end. The new cursor is the largest of the values that no
-- change can have received after the walk's first answer, because such a change can be on a page that was already read:
-- * times that were over 5 minutes before the walk began. The clock of the service can be so much behind this clock;
-- * the value that an earlier walk of the same list left in `reached`;
-- * the second largest value of the walk's first answer.
-- The second largest instead of the largest, because the next change can receive the largest value once more, and some
-- services return only items beyond the value that they are sent. A walk of the whole list replaces the cursor and
-- ignores a `reached` that is larger than all its values, because an earlier declaration can have had another cursor, and
-- values can have fallen.
-- $1 walk bigint, $2 scope text[] (source, resource), $3 whether the walk read the whole list, $4 fingerprint of the
-- parameters of the whole list text
WITH walked AS (
  SELECT started_at, md5(concat_ws(' ', origin, $4::text)) AS list
  FROM sync.walk WHERE id = $1::bigint
), met AS (
  -- A later reading can have replaced the value that the first reading showed.
  SELECT key, bool_and(page = 1) AS is_first
  FROM (SELECT page, unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint) reading GROUP BY key
), shown AS MATERIALIZED (
  SELECT value, is_first, sync.as_numeric(value) AS number, sync.as_timestamptz(value) AS moment,
         sync.cursor_span(value) AS span
  FROM (
    SELECT item.value, bool_or(met.is_first) AS is_first
    FROM met JOIN /* table */ d ON d.syncctl_key = met.key CROSS JOIN LATERAL (SELECT /* cursor */ AS value) item
    WHERE jsonb_typeof(item.value) IN ('number', 'string') GROUP BY item.value
  ) distinct_values
), ordered AS MATERIALIZED (
  -- The order of sync.later_cursor. Equal numbers and times have one place, whatever their spelling.
  SELECT value, is_first, span, dense_rank() OVER (ORDER BY
    CASE WHEN all_numbers THEN number END DESC, CASE WHEN all_moments THEN moment END DESC,
    CASE WHEN NOT (all_numbers OR all_moments) THEN value #>> '{}' END COLLATE "C" DESC) AS place
  FROM shown CROSS JOIN (
    SELECT bool_and(number IS NOT NULL) AS all_numbers, bool_and(moment IS NOT NULL) AS all_moments FROM shown) kinds
  -- A time that is still to come would hide the changes until then.
  WHERE (lower(span) > clock_timestamp()) IS NOT TRUE
), found AS (
  SELECT list,
    (SELECT value FROM ordered WHERE place = 1 ORDER BY place, (value #>> '{}') COLLATE "C" DESC LIMIT 1) AS largest,
    (SELECT value FROM ordered WHERE place = 2 ORDER BY place, (value #>> '{}') COLLATE "C" DESC LIMIT 1) AS second,
    (SELECT value FROM ordered WHERE is_first AND place > (SELECT min(place) FROM ordered WHERE is_first)
     ORDER BY place, (value #>> '{}') COLLATE "C" DESC LIMIT 1) AS second_of_first,
    (SELECT value FROM ordered WHERE upper(span) <= started_at - interval '5 minutes'
     ORDER BY place, (value #>> '{}') COLLATE "C" DESC LIMIT 1) AS settled
  FROM walked
), kept AS (
  SELECT r.source, r.resource, CASE WHEN NOT $3::boolean THEN r.cursor END AS cursor,
    CASE WHEN r.reached_by = f.list AND (NOT $3::boolean OR sync.later_cursor(r.reached, f.largest) = f.largest)
         THEN r.reached END AS reached
  FROM sync.declared_resource r CROSS JOIN found f
  WHERE r.source = ($2::text[])[1] AND r.resource = ($2::text[])[2]
), moved AS (
  SELECT source, resource, list,
    sync.later_cursor(sync.later_cursor(cursor, reached), sync.later_cursor(settled, second_of_first)) AS cursor,
    sync.later_cursor(reached, second) AS reached
  FROM kept CROSS JOIN found
)
UPDATE sync.declared_resource r
SET cursor = m.cursor, reached = m.reached, reached_by = m.list
FROM moved m
WHERE r.source = m.source AND r.resource = m.resource
  AND (r.cursor, r.reached, r.reached_by) IS DISTINCT FROM (m.cursor, m.reached, m.list)
