-- The number of intervals in a list's history (in the row without a key), and the wrong intervals. An interval must end
-- after its beginning, and not after the item's next interval begins. The beginning and the end must be times of stored
-- publications, or earlier than the oldest publication. Intervals without an end must match the published list.
-- $1 scope text[], $2 after this key bigint, $3 up to this key bigint, null for no bound; $4 keys bigint[] of wrong
-- entries, which are skipped
WITH history AS MATERIALIZED (
  SELECT *, lead(valid_from) OVER (PARTITION BY key ORDER BY valid_from) AS next_from
  FROM (
    SELECT /* history entry */ AS key, valid_from, valid_to, position, unread FROM /* history */ h
    WHERE /* of history */
  ) h
  WHERE ($2::bigint IS NULL OR key > $2) AND ($3::bigint IS NULL OR key <= $3)
), publications AS MATERIALIZED (
  /* publications */
), latest AS (
  SELECT min(published_at) AS oldest, (array_agg(positions ORDER BY published_at DESC))[1] AS positions FROM publications
), listed AS (
  SELECT key, position, unread FROM (/* published list */) l
  WHERE EXISTS (SELECT 1 FROM publications)
    AND ($2::bigint IS NULL OR key > $2) AND ($3::bigint IS NULL OR key <= $3) AND key <> ALL ($4::bigint[])
), fault AS (
  SELECT key, valid_from, 'valid_to' AS name, to_jsonb(valid_to) AS stored, to_jsonb(next_from) AS expected
  FROM history WHERE valid_to <= valid_from OR next_from < coalesce(valid_to, 'infinity')
  UNION ALL
  SELECT key, valid_from, 'valid_from', to_jsonb(valid_from), NULL FROM history, latest
  WHERE valid_from > oldest AND valid_from NOT IN (SELECT published_at FROM publications)
  UNION ALL
  SELECT key, valid_from, 'valid_to', to_jsonb(valid_to), NULL FROM history, latest
  WHERE valid_to > oldest AND valid_to NOT IN (SELECT published_at FROM publications)
  UNION ALL
  SELECT key, valid_from, 'position', to_jsonb(h.position), to_jsonb(l.position)
  FROM history h JOIN listed l USING (key), latest
  WHERE valid_to IS NULL AND h.position <> l.position AND least(h.position, l.position) <= latest.positions
  UNION ALL
  SELECT key, valid_from, 'unread', to_jsonb(h.unread), to_jsonb(l.unread)
  FROM history h JOIN listed l USING (key) WHERE valid_to IS NULL AND h.unread <> l.unread
  UNION ALL
  SELECT key, valid_from, 'valid_to', 'null', NULL FROM history
  WHERE valid_to IS NULL AND next_from IS NULL AND key NOT IN (SELECT key FROM listed) AND key <> ALL ($4::bigint[])
  UNION ALL
  SELECT key, NULL, NULL, NULL, jsonb_build_object('position', position) FROM listed
  WHERE key NOT IN (SELECT key FROM history WHERE valid_to IS NULL)
)
SELECT NULL AS key, NULL AS name, count(*)::text AS stored, NULL AS expected FROM history
UNION ALL
SELECT (/* entry */ || jsonb_strip_nulls(jsonb_build_object('valid_from', valid_from)))::text, name, stored::text,
       expected::text
FROM fault
