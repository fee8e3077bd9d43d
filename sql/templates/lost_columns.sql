-- The columns that would lose their value in some of the items, and the number of these items. An empty list counts as
-- no value.
-- $1 keys bigint[], $2 documents text[], $3 scope text[], $4 whether the documents contain only counters
WITH sent AS MATERIALIZED (
  SELECT key, document::jsonb AS document FROM unnest($1::bigint[], $2::text[]) AS i (key, document)
), item AS (
  SELECT /* identity */, wanted.document AS raw,
         CASE WHEN $4 THEN '{}' ELSE to_jsonb(d.*) END || coalesce(/* counter-values */, '{}') AS "Stored"
  FROM sent AS wanted
  CROSS JOIN LATERAL (SELECT d.* FROM /* table */ d WHERE /* in scope */ AND /* has key */ OFFSET 0) d
  /* counters */
), derived AS (
/* columns */
), compared AS MATERIALIZED (
  SELECT "Stored" AS stored, to_jsonb(r.*) AS made FROM derived r
)
SELECT name, count(*) AS lost
FROM compared CROSS JOIN LATERAL jsonb_each(stored) AS s (name, value)
WHERE value NOT IN ('null', '[]') AND made->name IN ('null', '[]')
GROUP BY name
