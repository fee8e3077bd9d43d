import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// Compares every right of every role on every object with docs/roles.md.
@Suite(.timeLimit(.minutes(10)))
struct SchemaRoleRightsTests {
  private static func matrix(under heading: String) throws -> [String: [String]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/roles.md"), encoding: .utf8)
    let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix(heading) })
    var matrix: [String: [String]] = [:]
    for line in section.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      for object in cells[0].split(separator: " ") { matrix[object.trimmingCharacters(in: ["`"])] = Array(cells[1...]) }
    }
    return matrix
  }

  private static let roles = ["syncctl_worker", "syncctl_user", "syncctl_reader"]

  private static let schemas = ["sync", "jikan", "pokeapi", "itunes", "app", "report"]

  @Test("each role has the rights on tables that it needs, and no others", .mirror)
  func tables() async throws {
    try await mirror.grant()
    // The new partition of the history is created after all grants.
    try await mirror.execute("SELECT jikan.make_ranking_history_partition(now())")
    for (place, role) in Self.roles.enumerated() { try await Self.expectRights(of: role, at: place, mirror) }
  }

  private static func expectRights(of role: String, at place: Int, _ mirror: StoredMirror) async throws {
    let rows = try await mirror.rows(
      """
      SELECT n.nspname || '.' || c.relname, coalesce((
          SELECT string_agg(p.letter, '' ORDER BY p.place)
          FROM unnest(
              ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'],
              ARRAY['S', 'I', 'U', 'D', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
            WITH ORDINALITY AS p (name, letter, place)
          WHERE has_table_privilege($1, c.oid, p.name)), '-')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ANY ($2) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      """, [.text(role), .texts(schemas)])
    var left = try matrix(under: "Tables").mapValues { $0[place] }
    for row in rows {
      let object = try #require(row[0])
      let isMonth = object.hasPrefix("jikan.ranking_history_")
      #expect(row[1] == (isMonth ? "-" : left.removeValue(forKey: object)), "\(role) on \(object)")
    }
    #expect(left.isEmpty, "they do not exist")
  }

  @Test("the functions of the worker are its own, and no other function runs as the owner", .mirror)
  func functions() async throws {
    try await mirror.grant()
    let rows = try await mirror.rows(
      """
      SELECT n.nspname || '.' || p.proname, has_function_privilege('syncctl_worker', p.oid, 'EXECUTE'),
             has_function_privilege('syncctl_user', p.oid, 'EXECUTE')
               OR has_function_privilege('syncctl_reader', p.oid, 'EXECUTE'), p.prosecdef
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ANY ($1) ORDER BY 1
      """, [.texts(Self.schemas)])
    let workers = try Self.matrix(under: "Functions")
    #expect(workers.count == 4 && workers.values.allSatisfy { $0 == ["X", "-", "-"] })
    #expect(Set(rows.compactMap { $0[0] }).isSuperset(of: workers.keys))
    for row in rows {
      let isWorkers = workers[row[0] ?? ""] != nil
      #expect(Array(row[1...]) == (isWorkers ? ["t", "f", "t"] : ["t", "t", "f"]), "\(row[0] ?? "")")
    }
  }

  @Test("no role can create objects, and the reader sees no notes", .mirror)
  func schemas() async throws {
    try await mirror.grant()
    let rows = try await mirror.rows(
      """
      SELECT r.name || ' ' || s.name, has_schema_privilege(r.name, s.name, 'USAGE'),
             has_schema_privilege(r.name, s.name, 'CREATE'),
             has_database_privilege(r.name, current_database(), 'CREATE')
      FROM unnest($1::text[]) r (name), unnest($2::text[]) s (name)
      """, [.texts(Self.roles), .texts(Self.schemas)])
    #expect(rows.count == Self.roles.count * Self.schemas.count)
    for row in rows { #expect(Array(row[1...]) == ["t", "f", "f"], "\(row[0] ?? "")") }
    let columns = try await mirror.rows(
      """
      SELECT attname, has_column_privilege('syncctl_reader', attrelid, attname, 'SELECT') FROM pg_attribute
      WHERE attrelid = 'app.favorite'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
      """)
    #expect(
      columns.filter { $0[1] == "t" }.map { $0[0] } == [
        "collection", "source", "kind", "id", "added_at", "rank_at_add",
      ])
    #expect(columns.filter { $0[1] == "f" }.map { $0[0] }.prefix(2) == ["note", "status"])
  }

  @Test("doctor checks exactly the rights that the script grants", .mirror)
  func parsed() async throws {
    try await mirror.grant()
    let granted = try await mirror.rows(
      """
      SELECT a.privilege_type || ' ' || o.name FROM (
        SELECT 'SCHEMA ' || nspname, nspacl FROM pg_namespace
        UNION ALL SELECT oid::regclass::text, relacl FROM pg_class WHERE NOT relispartition
        UNION ALL SELECT 'FUNCTION ' || oid::regprocedure::text, proacl FROM pg_proc
      ) o (name, acl), aclexplode(o.acl) a WHERE a.grantee = 'syncctl_worker'::regrole
      """)
    let rights = try await WorkerRights.read(mirror.owner, personal: ["itunes.lookup_history"])
    #expect(rights.missing.isEmpty)
    #expect(granted.compactMap { $0[0] }.sorted() == rights.held.map { "\($0.privilege) \($0.object)" }.sorted())
    #expect(granted.count > 100)
  }

  @Test("comments, other roles and other statements are not mistaken for grants")
  func parser() {
    let grants = Grant.grants(
      to: "worker",
      in: """
        -- GRANT SELECT ON a.commented TO worker;
        DO $$ BEGIN EXECUTE 'CREATE ROLE worker'; END $$;
        REVOKE ALL ON a.b FROM worker;
        GRANT SELECT (one, two) ON a.b TO worker;
        GRANT SELECT,
          INSERT ON a.b, TABLE_OF.c -- and why
          TO reader, worker;
        GRANT UPDATE ON a.b TO reader;
        GRANT SELECT ON ALL TABLES IN SCHEMA a, b TO worker;
        GRANT worker TO mary;
        GRANT EXECUTE ON FUNCTION a.f TO worker
        """)
    #expect(
      grants.map { "\($0.privilege) \($0.kind) \($0.schema) \($0.name)" } == [
        "SELECT table a b", "INSERT table a b", "SELECT table TABLE_OF c", "INSERT table TABLE_OF c",
        "SELECT tables a ", "SELECT tables b ", "EXECUTE function a f",
      ])
  }

  @Test("each revoked right is named with the statement that grants it again, and that statement works", .mirror)
  func revokedOneAtATime() async throws {
    try await mirror.grant()
    let user = "Mary \(mirror.test.name)"
    try await mirror.execute(#"CREATE ROLE "\#(user)" LOGIN PASSWORD 'S3cr3t' IN ROLE syncctl_worker"#)
    let settings = mirror.test.tcpSettings(user: user, password: "S3cr3t")
    try await Database.with(settings, applicationName: "worker") { worker in
      let all = try await WorkerRights.read(worker, personal: ["itunes.lookup_history"])
      #expect(all.missing.isEmpty && all.held.count > 100 && !all.onlyReads)
      for right in all.held {
        try await mirror.execute("REVOKE \(right.privilege) ON \(right.object) FROM syncctl_worker")
        let less = try await WorkerRights.read(worker, personal: ["itunes.lookup_history"])
        #expect(less.missing == [right] && !less.onlyReads)
        let statement = less.statement(right)
        #expect(statement == #"GRANT \#(right.privilege) ON \#(right.object) TO "\#(user)""#)
        try await mirror.execute(statement)
        #expect(
          try await WorkerRights.read(worker, personal: ["itunes.lookup_history"]).missing.isEmpty, "\(statement)")
      }
    }
    try await mirror.execute(#"DROP OWNED BY "\#(user)""#)
    try await mirror.execute(#"DROP ROLE "\#(user)""#)
  }

  @Test(
    "a reader is distinguished from a worker without a right, and a database without a mirror yields nothing", .mirror)
  func reader() async throws {
    try await mirror.grant()
    try await mirror.asRole("syncctl_reader") { role in
      let reader = role.database
      #expect(try await WorkerRights.read(reader, personal: ["itunes.lookup_history"]).onlyReads)
      try await mirror.execute("REVOKE SELECT ON sync.job FROM syncctl_reader")
      #expect(try await !WorkerRights.read(reader, personal: ["itunes.lookup_history"]).onlyReads)
      try await mirror.execute("GRANT SELECT ON sync.job TO syncctl_reader")
      try await mirror.execute("GRANT INSERT ON sync.run TO syncctl_reader")
      #expect(try await !WorkerRights.read(reader, personal: ["itunes.lookup_history"]).onlyReads)
    }
    let empty = try await ThrowawayPostgres.shared().makeDatabase()
    try await Database.with(empty.settings, applicationName: "owner") { database in
      let rights = try await WorkerRights.read(database, personal: ["itunes.lookup_history"])
      #expect(rights.held.isEmpty && rights.missing.isEmpty && !rights.onlyReads)
    }
  }
}
