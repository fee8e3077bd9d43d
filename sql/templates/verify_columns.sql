-- A row for each stored column that differs from the value that its document yields.
-- $1 keys bigint[], $2 scope text[]
WITH item AS (
  -- The name is in capitals, because a declared column can be called stored. `coalesce` prevents the expansion of d.*.
  SELECT /* identity */, coalesce(d.*) AS "Stored",
         -- The subtraction makes PostgreSQL decompress the document once, not again for each member.
         CASE WHEN jsonb_typeof(raw) = 'object' THEN raw - '{}'::text[] ELSE raw END AS raw
  FROM /* table */ d WHERE /* in scope */ AND /* of-keys */
  OFFSET 0
), derived AS (
/* columns */
), different AS (
  SELECT * FROM derived WHERE (/* stored columns */) IS DISTINCT FROM (/* derived columns */)
)
SELECT /* key */, (SELECT to_jsonb(i.*) FROM (SELECT /* identity */) i)::text, v.name, v.stored::text, v.expected::text
FROM different d CROSS JOIN LATERAL (VALUES /* compared columns */) AS v (name, stored, expected)
WHERE v.stored IS DISTINCT FROM v.expected
