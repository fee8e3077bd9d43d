-- The live items that a walk did not meet, and one or two that it met: if their addresses do not find them, a 404
-- proves nothing. If the walk met none, one or two items of the lists that it did not read wholly. An item that still
-- has a place in such a list is not missing. Each item has the members of its key as a JSON array of texts. For the
-- safety guard: the number of all live items that a list has or had last time, and whether the item is one of them.
-- $1 walk bigint, $2 scope text[], $3 keys that a dry run met bigint[], $4 number of new items among them bigint,
-- $5 lists that a dry run did not read wholly text[] (null in other runs)
WITH unused AS (SELECT $2::text[]), kept AS MATERIALIZED (
  SELECT /* list name */ AS list
  FROM unnest(coalesce($5::text[], (SELECT lists FROM sync.walk WHERE id = $1::bigint))) AS name
  WHERE NOT EXISTS (
    SELECT FROM sync.walk_list l
    WHERE l.walk_id = $1::bigint AND l.list = name AND l.status IN ('complete', 'unproven'))
), item AS MATERIALIZED (
  SELECT key, bool_and(is_stored) AS is_missing FROM (
    SELECT syncctl_key AS key, true AS is_stored FROM /* table */ WHERE vanished_at IS NULL
    UNION ALL
    SELECT unnest(keys), false FROM sync.walk_page WHERE walk_id = $1::bigint
    UNION ALL
    SELECT syncctl_key, false FROM /* list table */ JOIN kept USING (list)
    UNION ALL
    SELECT unnest($3::bigint[]), false
  ) reading
  GROUP BY key HAVING bool_or(is_stored)
), met AS (
  SELECT unnest(keys) AS key FROM sync.walk_page WHERE walk_id = $1::bigint
  UNION ALL
  SELECT unnest($3::bigint[])
), judged AS MATERIALIZED (
  SELECT key, is_missing, NOT is_missing OR /* was listed */ AS is_listed FROM item
)
SELECT key, (SELECT count(*) FROM judged WHERE is_listed) + $4::bigint AS live,
       (SELECT (/* key texts */)::text FROM /* table */ d WHERE d.syncctl_key = judged.key) AS members,
       is_listed, NOT is_missing AS is_control
FROM judged
WHERE is_missing
   OR key IN (SELECT unnest(ARRAY[min(key), max(key)]) FROM judged
              WHERE NOT is_missing AND (key IN (SELECT key FROM met) OR NOT EXISTS (SELECT FROM met)))
ORDER BY key
