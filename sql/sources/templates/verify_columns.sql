-- A row for each column that differs from its document. The program names the columns.
-- $1 keys bigint[], $2 scope text[]
WITH item AS (
  SELECT /* identity */, d AS stored,
         -- Uncompressed once, and not for each member that is read.
         CASE WHEN jsonb_typeof(raw) = 'object' THEN raw - '{}'::text[] ELSE raw END AS raw
  FROM /* table */ d WHERE /* in scope */ AND /* of-keys */
  OFFSET 0
), derived AS (
/* columns */
), different AS (
  SELECT * FROM derived WHERE (/* stored columns */) IS DISTINCT FROM (/* derived columns */)
)
SELECT /* key */, (SELECT to_jsonb(i) FROM (SELECT /* identity */) i)::text, v.name, v.stored::text, v.expected::text
FROM different d CROSS JOIN LATERAL (VALUES /* compared columns */) AS v (name, stored, expected)
WHERE v.stored IS DISTINCT FROM v.expected
