-- Makes the published lists equal to a walk. Writes only differences.
-- If a table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 walk bigint, $2 scope text[], $3 publishing text[], $4 run uuid, $5 consistent boolean
WITH unused AS (SELECT $4::uuid), /* listed */, published AS MATERIALIZED (
  SELECT list, syncctl_key AS key, position, unread FROM /* list table */
), due AS MATERIALIZED (
  SELECT l.list, l.key, l.position, l.unread FROM listed l LEFT JOIN published p USING (list, key)
  WHERE (p.position, p.unread) IS DISTINCT FROM (l.position, l.unread)
), leaving AS MATERIALIZED (
  SELECT p.list, p.key FROM published p LEFT JOIN listed l USING (list, key) WHERE l.key IS NULL
), gone AS (
  DELETE FROM /* list table */ p USING leaving l WHERE p.list = l.list AND p.syncctl_key = l.key RETURNING 1
), written AS (
  INSERT INTO /* list table */ (list, syncctl_key, position, unread)
  SELECT list, key, position, unread FROM due ORDER BY list, key
  ON CONFLICT (list, syncctl_key) DO UPDATE SET position = excluded.position, unread = excluded.unread
  RETURNING 1
)/* vanishing */
SELECT (SELECT count(*) FROM listed) AS entries, (SELECT /* list-digest */ FROM listed) AS digest, CASE
  WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM due)
    OR (SELECT count(*) FROM gone) < (SELECT count(*) FROM leaving)
  THEN '/* list table */'/* vanishing dropped */
END AS dropped_by, /* vanished count */ AS vanished
