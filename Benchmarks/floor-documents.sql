BEGIN;
CREATE TEMP TABLE incoming (raw jsonb) ON COMMIT DROP;
\copy incoming FROM pstdin WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')
INSERT INTO document AS d SELECT (raw->>'id')::bigint, raw->>'name', raw FROM incoming
ON CONFLICT (id) DO UPDATE SET name = excluded.name, raw = excluded.raw
WHERE d.raw IS DISTINCT FROM excluded.raw;
COMMIT;
