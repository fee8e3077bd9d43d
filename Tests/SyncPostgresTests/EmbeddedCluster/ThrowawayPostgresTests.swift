import LibPQ
import PostgresTestKit
import Testing

@Suite struct ThrowawayPostgresTests {
  @Test("a script's rows are those of psql, and an error leaves what came before it")
  func scripts() async throws {
    let server = try await ThrowawayPostgres.shared()
    let database = try await server.makeDatabase()
    let script = #"""
      -- A comment; not a statement.
      SET timezone = 'UTC';
      SELECT true, false, NULL, 'a;b', "x;y".a FROM (SELECT 1 AS a) AS "x;y";
      SELECT ARRAY[1, NULL], ARRAY['a b', 'c'], '{"a": 1}'::jsonb, 1.50, '\xdead'::bytea, E'it\'s; \\', 'two
      lines';
      /* nested /* ; */ ; */ SELECT g FROM generate_series(1, 3) g;;
      DO $$ BEGIN RAISE NOTICE 'noted; %', 1; END $$;
      CREATE TEMP TABLE t (n int);
      INSERT INTO t VALUES (1), (2) RETURNING n, n * 2;
      VACUUM t;
      CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS $f$ SELECT 1; SELECT 2 $f$;
      BEGIN; SELECT pg_temp.f(), '12:30'::time, $$ $1 :x $$; COMMIT;
      SELECT n FROM t WHERE false;
      SELECT 'ü周', '', current_setting('TimeZone') -- the end
      """#
    let rows = try await server.sql(script, database: database.name)
    #expect(rows == (try await server.psql(script, database: database.name)))
    #expect(rows.hasPrefix("t|f||a;b|1\n{1,NULL}|{\"a b\",c}|") && rows.hasSuffix("ü周||UTC\n"), "\(rows)")
    await #expect(throws: PostgresError.self) {
      try await server.sql("CREATE TABLE kept (); SELECT 1 / 0; DROP TABLE kept", database: database.name)
    }
    #expect(try await server.sql("SELECT count(*) FROM kept", database: database.name) == "0\n")
    try await server.drop(database)
  }
}
