BEGIN;
CREATE TEMP TABLE incoming (line bigint, raw jsonb) ON COMMIT DROP;
\copy incoming FROM pstdin WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')
INSERT INTO document AS d SELECT line, raw FROM incoming
ON CONFLICT (line) DO UPDATE SET raw = excluded.raw
WHERE d.raw IS DISTINCT FROM excluded.raw;
COMMIT;
