-- Compares a derived table with the rows that a slice of the documents yields. Returns a row for each differing value.
-- `name` is null if a whole row is missing (`stored` is null) or surplus (`expected` is null).
-- $1 keys bigint[] of the documents, $2 their kind text, $3 after this key bigint, $4 up to this key bigint, or null;
-- $5 keys bigint[] to skip
WITH made AS MATERIALIZED (
  SELECT /* row */ FROM /* made */($2::text, $1::bigint[])
), stored AS MATERIALIZED (
  SELECT /* row */ FROM /* derived table */ t
  WHERE /* of kind */ AND ($3::bigint IS NULL OR /* id */ > $3) AND ($4::bigint IS NULL OR /* id */ <= $4)
    AND /* id */ <> ALL ($5::bigint[])
), missing AS (
  SELECT /* id */ AS id, /* row key */ AS row_key, to_jsonb(r) AS made_row FROM (TABLE made EXCEPT ALL TABLE stored) r
), extra AS (
  SELECT /* id */ AS id, /* row key */ AS row_key, to_jsonb(r) AS stored_row
  FROM (TABLE stored EXCEPT ALL TABLE made) r
)
SELECT id, row_key::text, name, stored::text, expected::text
FROM missing FULL JOIN extra USING (id, row_key) CROSS JOIN LATERAL (
  SELECT NULL AS name, stored_row AS stored, made_row AS expected WHERE stored_row IS NULL OR made_row IS NULL
  UNION ALL
  SELECT s.key, s.value, m.value FROM jsonb_each(stored_row) s JOIN jsonb_each(made_row) m USING (key)
  WHERE s.value <> m.value
) v
ORDER BY id, row_key, name
