-- Makes a published chart equal to a walk, and records the changes in the chart's history. Writes only differences.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 walk bigint, $2 scope text[] (country, media, feed, type), $3 publishing text[],
-- $4 run uuid, $5 consistent boolean
WITH /* listed */, chart AS MATERIALIZED (
  SELECT ($2::text[])[1] AS country, ($2::text[])[2] AS media, ($2::text[])[3] AS feed, ($2::text[])[4] AS type
), last AS MATERIALIZED (
  SELECT published_at, entries, consistent FROM chart JOIN itunes.chart_publication USING (country, media, feed, type)
  ORDER BY published_at DESC LIMIT 1
), moment AS MATERIALIZED (
  -- A publication must be later than the last one, even if the clock was set back.
  SELECT greatest(clock_timestamp(), (SELECT published_at + interval '1 microsecond' FROM last)) AS at
), difference AS MATERIALIZED (
  SELECT country, media, feed, type, id, s.position, s.unread
  FROM (SELECT * FROM chart, listed) s
  FULL JOIN (SELECT e.* FROM chart JOIN itunes.chart_entry e USING (country, media, feed, type)) e
    USING (country, media, feed, type, id)
  WHERE (s.position, s.unread) IS DISTINCT FROM (e.position, e.unread)
), left_out AS (
  DELETE FROM itunes.chart_entry e USING difference d
  WHERE (e.country, e.media, e.feed, e.type, e.id) = (d.country, d.media, d.feed, d.type, d.id) AND d.position IS NULL
  RETURNING 1
), placed AS (
  INSERT INTO itunes.chart_entry (country, media, feed, type, id, position, unread)
  SELECT country, media, feed, type, id, position, unread FROM difference WHERE position IS NOT NULL ORDER BY id
  ON CONFLICT (country, media, feed, type, id) DO UPDATE SET position = excluded.position, unread = excluded.unread
  RETURNING 1
), moved AS MATERIALIZED (
  -- If the history already has the walk's position and mark, a user changed the stored list. Repairs are not recorded.
  SELECT d.* FROM difference d
  LEFT JOIN itunes.chart_history h
    ON (h.country, h.media, h.feed, h.type, h.id) = (d.country, d.media, d.feed, d.type, d.id) AND h.valid_to IS NULL
  WHERE (h.position, h.unread) IS DISTINCT FROM (d.position, d.unread)
), ended AS (
  UPDATE itunes.chart_history h SET valid_to = at
  FROM moved d, moment
  WHERE (h.country, h.media, h.feed, h.type, h.id) = (d.country, d.media, d.feed, d.type, d.id) AND h.valid_to IS NULL
), begun AS (
  INSERT INTO itunes.chart_history (country, media, feed, type, id, valid_from, position, unread)
  SELECT country, media, feed, type, id, at, position, unread FROM moved, moment WHERE position IS NOT NULL ORDER BY id
  RETURNING 1
), noted AS (
  INSERT INTO itunes.chart_publication (country, media, feed, type, published_at, run_id, entries, consistent)
  SELECT country, media, feed, type, at, $4::uuid, (SELECT count(*) FROM listed), $5::boolean FROM chart, moment
  WHERE EXISTS (SELECT 1 FROM moved)
    OR NOT EXISTS (SELECT 1 FROM last WHERE entries = (SELECT count(*) FROM listed) AND consistent = $5::boolean)
)
SELECT (SELECT count(*) FROM listed) AS entries, (SELECT /* list-digest */ FROM listed) AS digest, CASE
  WHEN (SELECT count(*) FROM left_out) + (SELECT count(*) FROM placed) < (SELECT count(*) FROM difference)
    THEN 'itunes.chart_entry'
  WHEN (SELECT count(*) FROM begun) < (SELECT count(*) FROM moved WHERE position IS NOT NULL)
    THEN 'itunes.chart_history'
END AS dropped_by
