-- Publishes a walk. For a search, this makes its results equal to the walk and records the changes in its history. For
-- a look-up, it marks items as vanished if two look-ups in a row did not return their id. If any id was unreadable, no
-- item is marked. Items that were requested after the walk began are not marked either.
-- Returns the number of entries, the number of items marked as vanished, and the digest of the published results.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 walk bigint, $2 scope text[] (country, search | lookup | refresh, name), $3 publishing text[] (search: term,
-- media, entity, attribute, lang, limit, '' for none; otherwise the requested ids), $4 run uuid, $5 consistent boolean
WITH /* listed */, searched AS MATERIALIZED (
  SELECT ($2::text[])[3] AS search, ($2::text[])[1] AS country FROM (SELECT) AS once WHERE ($2::text[])[2] = 'search'
), asked_as AS (
  INSERT INTO itunes.search AS s (name, country, term, media, entity, attribute, lang, result_limit)
  SELECT search, country, coalesce(($3::text[])[1], ''), nullif(($3::text[])[2], ''), nullif(($3::text[])[3], ''),
         nullif(($3::text[])[4], ''), nullif(($3::text[])[5], ''),
         CASE WHEN ($3::text[])[6] ~ '^[0-9]{1,9}$' THEN ($3::text[])[6]::integer END
  FROM searched
  -- An unchanged search is excluded, because ON CONFLICT would write its row again.
  EXCEPT SELECT name, country, term, media, entity, attribute, lang, result_limit FROM itunes.search
  ON CONFLICT (name) DO UPDATE SET
    country = excluded.country, term = excluded.term, media = excluded.media, entity = excluded.entity,
    attribute = excluded.attribute, lang = excluded.lang, result_limit = excluded.result_limit
), last AS MATERIALIZED (
  SELECT published_at, entries, consistent FROM itunes.search_publication
  WHERE search = (SELECT search FROM searched) ORDER BY published_at DESC LIMIT 1
), moment AS MATERIALIZED (
  -- A publication must be later than the last one, even if the clock was set back.
  SELECT greatest(clock_timestamp(), (SELECT published_at + interval '1 microsecond' FROM last)) AS at
), difference AS MATERIALIZED (
  SELECT search, country, class, id, l.position, l.unread, r.position AS old_position
  FROM (SELECT search, country, class, id, position, unread FROM listed, searched) l
  FULL JOIN (SELECT * FROM itunes.search_result WHERE search = (SELECT search FROM searched)) r
    USING (search, country, class, id)
  WHERE (l.position, l.unread) IS DISTINCT FROM (r.position, r.unread)
), left_out AS (
  DELETE FROM itunes.search_result r USING difference d
  WHERE (r.search, r.country, r.class, r.id) = (d.search, d.country, d.class, d.id) AND d.position IS NULL
  RETURNING 1
), placed AS (
  INSERT INTO itunes.search_result (search, country, class, id, position, unread)
  SELECT search, country, class, id, position, unread FROM difference WHERE position IS NOT NULL ORDER BY class, id
  ON CONFLICT (search, country, class, id) DO UPDATE SET position = excluded.position, unread = excluded.unread
  RETURNING 1
), moved AS MATERIALIZED (
  -- If the history already has the walk's position and mark, a user changed the stored list. Repairs are not recorded.
  SELECT d.* FROM difference d
  LEFT JOIN itunes.search_history h
    ON (h.search, h.country, h.class, h.id) = (d.search, d.country, d.class, d.id) AND h.valid_to IS NULL
  WHERE (h.position, h.unread) IS DISTINCT FROM (d.position, d.unread)
), ended AS (
  UPDATE itunes.search_history h SET valid_to = at
  FROM moved d, moment
  WHERE (h.search, h.country, h.class, h.id) = (d.search, d.country, d.class, d.id) AND h.valid_to IS NULL
), begun AS (
  INSERT INTO itunes.search_history (search, country, class, id, valid_from, position, unread)
  SELECT search, country, class, id, at, position, unread FROM moved, moment WHERE position IS NOT NULL ORDER BY class, id
  RETURNING 1
), noted AS (
  INSERT INTO itunes.search_publication (search, published_at, run_id, entries, consistent)
  SELECT search, at, $4::uuid, (SELECT count(*) FROM listed), $5::boolean FROM searched, moment
  WHERE EXISTS (SELECT 1 FROM moved)
    OR NOT EXISTS (SELECT 1 FROM last WHERE entries = (SELECT count(*) FROM listed) AND consistent = $5::boolean)
), absent AS MATERIALIZED (
  SELECT a.id, coalesce(b.missed, 0) AS missed
  FROM (
    SELECT DISTINCT text::bigint AS id
    FROM unnest(CASE WHEN ($2::text[])[2] IN ('lookup', 'refresh') THEN $3::text[] END) AS text
    WHERE text ~ '^[0-9]{1,18}$'
      AND NOT /* has unreadable */
  ) a LEFT JOIN itunes.lookup_absence b ON b.country = ($2::text[])[1] AND b.id = a.id
  WHERE a.id NOT IN (SELECT id FROM listed)
), missed AS (
  INSERT INTO itunes.lookup_absence AS b (country, id, missed)
  SELECT ($2::text[])[1], id, 1 FROM absent WHERE missed < 2 ORDER BY id
  ON CONFLICT (country, id) DO UPDATE SET missed = 2
), met AS (
  SELECT id FROM itunes.lock_absences(($2::text[])[1], ARRAY(SELECT id FROM listed WHERE NOT unread)) AS id
), forgotten AS (
  DELETE FROM itunes.lookup_absence b USING met WHERE b.country = ($2::text[])[1] AND b.id = met.id
), walk AS (
  SELECT started_at FROM sync.walk WHERE id = $1::bigint
), marked AS (
  -- All classes of an id vanish and return together, because a look-up requests ids without classes.
  SELECT ($2::text[])[1] AS country, class, id, id IN (SELECT id FROM absent) AS goes
  FROM itunes.lock_marked(
    ($2::text[])[1], ARRAY(SELECT id FROM absent WHERE missed > 0),
    ARRAY(SELECT id FROM listed WHERE NOT unread), (SELECT started_at FROM walk))
), changed AS (
  UPDATE itunes.item i
  SET vanished_at = CASE WHEN marked.goes THEN sync.write_time(i.id) END, changed_at = sync.write_time(i.id),
      requested_at = (SELECT started_at FROM walk)
  FROM marked WHERE (i.country, i.class, i.id) = (marked.country, marked.class, marked.id)
  RETURNING marked.goes
)
SELECT (SELECT count(*) FROM listed) AS entries, (SELECT count(*) FROM changed WHERE goes) AS vanished,
(SELECT /* list-digest */ FROM listed) AS digest, CASE
  WHEN (SELECT count(*) FROM left_out) + (SELECT count(*) FROM placed) < (SELECT count(*) FROM difference)
    THEN 'itunes.search_result'
  WHEN (SELECT count(*) FROM begun) < (SELECT count(*) FROM moved WHERE position IS NOT NULL)
    THEN 'itunes.search_history'
  WHEN (SELECT count(*) FROM changed) < (SELECT count(*) FROM marked) THEN 'itunes.item'
END AS dropped_by
