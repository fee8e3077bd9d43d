import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct StoreDatabaseFaultTests {
  private static func fault(_ keywords: [String: String], password: String? = nil) async -> SyncError? {
    var settings = ConnectionSettings(keywords: keywords)
    settings.password = password.map { Secret($0) }
    return await syncError { try await Database.with(settings, applicationName: "test") { _ in } }
  }

  private static func expectReadable(_ error: SyncError?, without secret: String) {
    let text = error?.description ?? ""
    #expect(!text.contains(secret))
    #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(text)")
    #expect(error?.hint?.isEmpty == false)
    #expect(error?.disposition == .stopRun)
  }

  @Test("a wrong password, a missing one, a role and a database that do not exist")
  func password() async throws {
    let test = try await ThrowawayPostgres.shared().makeDatabase()
    #expect(await Self.fault(test.tcpKeywords, password: test.tcpPassword) == nil)
    let wrong = "canary-wrong-secret"
    for error in [
      await Self.fault(test.tcpKeywords, password: wrong),
      await Self.fault(test.tcpKeywords.merging(["passfile": "/nonexistent"]) { $1 }),
      await Self.fault(test.tcpKeywords.merging(["user": "nobody_here"]) { $1 }, password: wrong),
    ] {
      #expect(error?.code == .permission)
      Self.expectReadable(error, without: wrong)
      Self.expectReadable(error, without: test.tcpPassword)
    }
    let error = await Self.fault(test.settingsKeywords.merging(["dbname": "no such db"]) { $1 })
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("no such db") == true)
    let command = "createdb --host=\(test.socketDirectory) --port=\(test.port) --username=\(test.user) 'no such db'"
    #expect(error?.hint?.hasSuffix(": \(command)") == true)
    Self.expectReadable(error, without: test.tcpPassword)
  }

  @Test("a database of another encoding")
  func encoding() async throws {
    let test = try await ThrowawayPostgres.shared().makeDatabase(encoding: "LATIN1")
    let error = await Self.fault(test.settingsKeywords)
    #expect(error?.code == .configuration)
    #expect(error?.hint?.contains("UTF8") == true)
    Self.expectReadable(error, without: test.tcpPassword)
  }

  @Test("a server that is stopped: before connecting, and with an open connection")
  func stopped() async throws {
    let server = try await ThrowawayPostgres.start()
    let test = try await server.makeDatabase()
    let database = try await Database.connect(
      test.productSettings, applicationName: "test", options: .init(reconnectDeadline: .milliseconds(300)))
    try await server.stop()
    let late = await expectError(.database) { _ = try await database.rows("SELECT 1") }
    Self.expectReadable(late, without: test.tcpPassword)
    for keywords in [test.settingsKeywords, test.tcpKeywords] {
      let error = await Self.fault(keywords, password: test.tcpPassword)
      #expect(error?.code == .database)
      Self.expectReadable(error, without: test.tcpPassword)
    }
  }

  @Test("a role that may not write, and one that may not read", .mirror)
  func privileges() async throws {
    try await mirror.execute("CREATE ROLE \(mirror.test.name)_guest LOGIN")
    try await mirror.execute("GRANT USAGE ON SCHEMA sync TO \(mirror.test.name)_guest")
    let name = mirror.test.name
    let error = await expectError(.permission) {
      try await mirror.owner.write { connection in
        _ = try connection.query(SQL(trusted: "SET LOCAL ROLE \(name)_guest"))
        _ = try connection.query("SELECT * FROM sync.run")
      }
    }
    Self.expectReadable(error, without: mirror.test.tcpPassword)
    try await mirror.execute("DROP OWNED BY \(name)_guest")
    try await mirror.execute("DROP ROLE \(name)_guest")
  }

  @Test("a value that does not fit is no fault of the server, and is named as far as PostgreSQL names it", .emptyMirror)
  func value() async throws {
    for (expression, named) in [
      ("'99999999999'::integer", "99999999999"), ("9223372036854775807 + 1", "bigint"), ("'x7'::bigint", "x7"),
      ("'2026-13-41'::timestamptz", "2026-13-41"), ("'soonish'::timestamptz", "soonish"),
      ("date 'infinity' - current_date", "infinite"), ("'[1e999999]'::jsonb", "numeric"),
      (#"'"\u0000"'::jsonb"#, "Unicode"),
    ] {
      await expectError(.configuration, named, hint: "is invalid") {
        _ = try await mirror.database.rows(SQL(trusted: "SELECT \(expression)"))
      }
    }
    await expectError(.database) { _ = try await mirror.database.rows("SELECT 1 / 0") }
  }

  @Test("an error in a user's trigger names its function, not our schema", .mirror)
  func usersTrigger() async throws {
    try await ThrowawayPostgres.shared().sql(
      """
      CREATE FUNCTION public.noted() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN INSERT INTO public.no_such_table SELECT NEW.mal_id; RETURN NEW; END';
      CREATE TRIGGER noted AFTER INSERT ON jikan.media FOR EACH ROW EXECUTE FUNCTION public.noted()
      """, database: mirror.test.name)
    let error = await expectError(.configuration, "no_such_table", hint: "noted()") {
      _ = try await WalkedList.run(mirror, [[Media(1)]])
    }
    #expect(error?.hint?.contains("migrations") == false)
  }

  @Test("a statement that the server does not understand is no fault of the schema", .emptyMirror)
  func syntax() async throws {
    await expectError(.configuration, "syntax error", hint: "does not understand") {
      _ = try await mirror.database.rows("SELEC 1")
    }
  }

  @Test("a database without our schema", .emptyMirror)
  func noSchema() async throws {
    await expectError(.configuration, hint: "syncctl migrate") { _ = try await Runs.list(mirror.database, limit: 1) }
  }
}
