import Foundation
package import LibPQ
package import SyncCore
package import SyncPostgres
package import SyncTestKit
package import Testing

package struct StoredMirror: Sendable {
  package let database: Database
  package let test: TestDatabase
  /// The connection for the test's own statements: `database`, unless the code under test has a restricted role.
  package let owner: Database

  package init(database: Database, test: TestDatabase, owner: Database? = nil) {
    self.database = database
    self.test = test
    self.owner = owner ?? database
  }

  package static func connected<R: Sendable>(
    to test: TestDatabase, options: Database.Options = Database.Options(), _ body: (StoredMirror) async throws -> R
  ) async throws -> R {
    try await Database.with(test.productSettings, applicationName: "test", options: options) { database in
      guard ProductRole.name != nil else { return try await body(StoredMirror(database: database, test: test)) }
      return try await Database.with(test.settings, applicationName: "owner") { owner in
        try await body(StoredMirror(database: database, test: test, owner: owner))
      }
    }
  }

  /// The same mirror, but the test's own statements use the connection of the code under test.
  package var alone: StoredMirror { StoredMirror(database: database, test: test) }

  package func other<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    try await Database.with(test.productSettings, applicationName: "other", body)
  }

  package func grant() async throws { try await ThrowawayPostgres.shared().grant(in: test) }

  package func asRole<R: Sendable>(_ role: String, _ body: (StoredMirror) async throws -> R) async throws -> R {
    var settings = test.settings
    settings["options"] = "-c role=\(role)"
    return try await Database.with(settings, applicationName: role) {
      try await body(StoredMirror(database: $0, test: test))
    }
  }

  /// Runs `sql` in a second session, and then `body`. The second session commits only when `body` waits for it.
  package func blocked<R: Sendable>(by sql: String, _ body: @escaping @Sendable () async throws -> R) async throws -> R
  {
    let written = Gate()
    // The semaphore is safe here, because it blocks only the connection's own thread.
    let goesOn = DispatchSemaphore(value: 0)
    defer { goesOn.signal() }
    let writing = Task {
      try await Database.with(test.settings, applicationName: "person") { database in
        try await database.write { connection in
          defer { written.open() }
          _ = try connection.query(SQL(trusted: sql))
          written.open()
          goesOn.wait()
        }
      }
    }
    await written.pass()
    let running = Task { try await body() }
    try await other { watcher in
      try await waitUntil("something to wait for the other session") {
        try await watcher.rows(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).rows.first?[0] == "1"
      }
    }
    goesOn.signal()
    try await writing.value
    return try await running.value
  }

  package func execute(_ sql: String, _ parameters: [PGParameter] = []) async throws {
    try await owner.write { connection in _ = try connection.query(SQL(trusted: sql), parameters) }
  }

  package func rows(_ sql: String, _ parameters: [PGParameter] = []) async throws -> [[String?]] {
    Array(try await owner.rows(SQL(trusted: sql), parameters).rows)
  }

  package func value(_ sql: String, _ parameters: [PGParameter] = []) async throws -> String? {
    try await rows(sql, parameters).first?.first ?? nil
  }

  /// Expects the query's rows, with `|` between fields and ∅ for NULL.
  package func expect(
    _ sql: String, with parameters: [PGParameter] = [], _ expected: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await rows(sql, parameters).map { row in row.map { $0 ?? "∅" }.joined(separator: "|") }
    #expect(found == expected, "\(sql)", sourceLocation: sourceLocation)
  }

  /// Attributes all leases to a killed process, so that the next run takes them at once.
  package func abandonLeases() async throws {
    // No process has this id, because it is above the kernel's largest pid (4,194,304).
    try await execute(
      "UPDATE sync.stream_state SET lease_owner = lease_owner || '{\"pid\": 5000000}' WHERE lease_owner IS NOT NULL")
  }

  package func expireLeases() async throws {
    try await execute("UPDATE sync.stream_state SET lease_expires_at = clock_timestamp() - interval '1 s'")
  }

  /// Returns all row versions of the source's tables. Equal results show that nothing was written, locked or moved.
  package func rowVersions() async throws -> [[String?]] {
    try await rows(
      """
      SELECT 'media', kind, mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.media
      UNION ALL SELECT 'counters', kind, mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.media_counters
      UNION ALL SELECT 'ranking', kind, mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.ranking
      ORDER BY 1, 2, 3
      """)
  }

  package enum Preparation { case migrated, empty, ownServer }

  package static func with<R: Sendable>(
    _ preparation: Preparation = .migrated, _ body: (StoredMirror) async throws -> R
  )
    async throws -> R
  {
    guard preparation == .ownServer else {
      let server = try await ThrowawayPostgres.shared()
      return try await lend(preparation == .empty ? server.makeDatabase() : server.makeProductDatabase(), server, body)
    }
    let server = try await ThrowawayPostgres.start(keepsCommits: false)
    do {
      let result = try await lend(try await server.makeProductDatabase(), server, body)
      try await server.stop()
      return result
    } catch {
      try? await server.stop(.immediate)
      throw error
    }
  }

  private static func lend<R: Sendable>(
    _ test: TestDatabase, _ server: ThrowawayPostgres, _ body: (StoredMirror) async throws -> R
  ) async throws -> R {
    let result = try await connected(to: test, body)
    try await server.drop(test)
    return result
  }
}

extension StoredMirror {
  /// Connects to `test`, or to a new database, through a proxy as the code under test, and directly as a superuser.
  ///
  /// - Parameter port: The port behind the proxy; `nil` for the server's port.
  package static func behindProxy(
    _ test: TestDatabase? = nil, port: UInt16? = nil, servesAll: Bool = true, options: Database.Options = .init(),
    _ body: (FaultProxy, _ mirror: StoredMirror, _ direct: StoredMirror) async throws -> Void
  ) async throws {
    let test = if let test { test } else { try await ThrowawayPostgres.shared().makeProductDatabase() }
    let proxy = try FaultProxy(serverPort: port ?? UInt16(test.tcpPort), servesAll: servesAll)
    var settings = test.productTCPSettings
    settings["port"] = "\(proxy.port)"
    try await Database.with(test.settings, applicationName: "direct") { direct in
      try await Database.with(settings, applicationName: "cut", options: options) { database in
        try await body(proxy, StoredMirror(database: database, test: test), StoredMirror(database: direct, test: test))
      }
    }
  }
}

package struct MirrorForEachTest: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal fileprivate static var current: StoredMirror?

  package let preparation: StoredMirror.Preparation

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await StoredMirror.with(preparation) { mirror in
      try await Self.$current.withValue(mirror) { try await function() }
    }
  }
}

/// The database of the running test, which needs the trait `.mirror`.
package var mirror: StoredMirror {
  // Only a test without the trait fails here.
  guard let mirror = MirrorForEachTest.current else { preconditionFailure("the test lacks the trait .mirror") }
  return mirror
}

extension Trait where Self == MirrorForEachTest {
  package static var mirror: Self { Self(preparation: .migrated) }
  package static var emptyMirror: Self { Self(preparation: .empty) }
  package static var ownServer: Self { Self(preparation: .ownServer) }
}

extension Trait where Self == ConditionTrait {
  package static func ownersAlone(_ matter: String) -> Self {
    .enabled(if: ProductRole.name == nil, "the owner alone \(matter)")
  }
}

package func column(_ name: String, _ rows: RowSet) throws -> [String?] {
  let place = try #require(rows.columns.firstIndex { $0.name == name }, "no column \(name)")
  return rows.rows.map { $0[place] }
}

package func syncError(_ body: () async throws -> Void) async -> SyncError? {
  do { try await body() } catch { return error as? SyncError }
  return nil
}

@discardableResult
package func expectError(
  _ code: SyncError.Code, _ words: String? = nil, hint: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> SyncError? {
  let error = await syncError(body)
  #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
  if let words { #expect(error?.message.contains(words) == true, "\(error as Any)", sourceLocation: sourceLocation) }
  if let hint { #expect(error?.hint?.contains(hint) == true, "\(error as Any)", sourceLocation: sourceLocation) }
  return error
}
