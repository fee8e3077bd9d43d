-- Prints all functions and views of a migrated database without their bodies: the content of landed-functions.sql.
SELECT line FROM (
  SELECT '' AS folder, 0 AS part, 0::bigint AS id,
         format('-- number %s, migrations %s', (SELECT max(number) FROM sync.function_set),
                (SELECT count(*) FROM sync.migration)) AS line
  UNION ALL
  SELECT folder, 0, 0, format('-- folder %s', folder) FROM sync.function_set
  UNION ALL
  SELECT f.folder, 1, c.oid::bigint,
         format(E'CREATE OR REPLACE VIEW %s AS\nSELECT %s;', c.oid::regclass,
                string_agg(format('NULL::%s AS %I', format_type(a.atttypid, a.atttypmod), a.attname), ', ' ORDER BY a.attnum))
  FROM sync.function_set f
  JOIN pg_class c ON c.relkind = 'v' AND f.comments ? format('%I.%I', c.relnamespace::regnamespace, c.relname)
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  GROUP BY f.folder, c.oid
  UNION ALL
  SELECT f.folder, 2, p.oid::bigint, CASE p.prokind
           WHEN 'a' THEN format('CREATE OR REPLACE AGGREGATE %s (SFUNC = %s, STYPE = %s);', p.oid::regprocedure,
                                g.aggtransfn, format_type(g.aggtranstype, NULL))
           ELSE format(E'CREATE OR REPLACE FUNCTION %s.%I(%s) RETURNS %s\nLANGUAGE plpgsql AS ''BEGIN END'';',
                       p.pronamespace::regnamespace, p.proname, pg_get_function_arguments(p.oid),
                       pg_get_function_result(p.oid)) END
  FROM sync.function_set f
  JOIN pg_proc p ON f.comments ? format('%I.%I(%s)', p.pronamespace::regnamespace, p.proname,
                                        oidvectortypes(p.proargtypes))
  LEFT JOIN pg_aggregate g ON g.aggfnoid = p.oid
) o ORDER BY folder, part, id
