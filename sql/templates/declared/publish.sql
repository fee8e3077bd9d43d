-- Makes the published list equal to a walk. Writes only differences.
-- If the table did not store all rows, e.g. because of a trigger, `dropped_by` names the table.
-- $1 walk bigint, $2 scope text[], $3 publishing text[], $4 run uuid, $5 consistent boolean
WITH unused AS (SELECT $4::uuid), /* listed */, published AS MATERIALIZED (
  SELECT syncctl_key AS key, position, unread FROM /* list table */
), due AS MATERIALIZED (
  SELECT l.key, l.position, l.unread FROM listed l LEFT JOIN published p USING (key)
  WHERE (p.position, p.unread) IS DISTINCT FROM (l.position, l.unread)
), gone AS (
  DELETE FROM /* list table */ WHERE syncctl_key NOT IN (SELECT key FROM listed) RETURNING 1
), written AS (
  INSERT INTO /* list table */ (syncctl_key, position, unread)
  SELECT key, position, unread FROM due ORDER BY key
  ON CONFLICT (syncctl_key) DO UPDATE SET position = excluded.position, unread = excluded.unread
  RETURNING 1
)
SELECT (SELECT count(*) FROM listed) AS entries, (SELECT /* list-digest */ FROM listed) AS digest, CASE
  WHEN (SELECT count(*) FROM written) < (SELECT count(*) FROM due)
    OR (SELECT count(*) FROM gone) < (SELECT count(*) FROM published WHERE key NOT IN (SELECT key FROM listed))
  THEN '/* list table */'
END AS dropped_by
