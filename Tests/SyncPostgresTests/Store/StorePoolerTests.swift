import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// Four clients share two server sessions of PgBouncer in transaction mode.
@Suite(.timeLimit(.minutes(10)))
struct StorePoolerTests {
  private static func with(_ body: (TestDatabase, ConnectionSettings, StoredMirror) async throws -> Void) async throws {
    let server = try await ThrowawayPostgres.start()
    let test = try await server.makeUnmigratedDatabase()
    try await server.sql("ALTER SYSTEM SET log_statement = 'all'; SELECT pg_reload_conf()", database: "postgres")
    let pooler = try await ThrowawayPgBouncer.start(before: test)
    defer { pooler.stop() }
    try await Database.with(test.settings, applicationName: "watcher") { database in
      try await body(test, pooler.settings(test), StoredMirror(database: database, test: test))
    }
    try Self.expectNoSessionState(String(contentsOfFile: server.serverLog, encoding: .utf8))
    try await server.stop()
  }

  /// Checks that no state outlives its transaction. The next transaction can use a different session.
  private static func expectNoSessionState(_ log: String) throws {
    let statements = log.split(separator: "\n").compactMap { line -> String? in
      for marker in ["LOG:  statement: ", "LOG:  execute <unnamed>: "] {
        if let found = line.firstRange(of: marker) { return String(line[found.upperBound...]) }
      }
      return nil
    }
    try #require(statements.count { $0.hasPrefix("BEGIN") } > 10)
    let lasting = statements.filter { statement in
      // The pooler itself sends this statement when it assigns a session to a client.
      if statement.hasPrefix("SET application_name=") { return false }
      return ["SET ", "PREPARE", "LISTEN", "DECLARE", "CREATE TEMP", "DISCARD"].contains { statement.hasPrefix($0) }
        || statement.contains("advisory_lock") || statement.contains("set_config") && statement.contains(", false)")
    }
    #expect(lasting == [])
    // The log would show the name of a named prepared statement.
    #expect(log.split(separator: "LOG:  execute ").dropFirst().allSatisfy { $0.hasPrefix("<unnamed>") })
  }

  @Test("four stores at once, each through a whole walk; migrations too")
  func wholeStore() async throws {
    try await Self.with { test, settings, mirror in
      _ = try await Database.with(settings, applicationName: "migrator") { try await Migrator($0).migrate() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (name, kind) in [("top-anime", "anime"), ("top-manga", "manga"), ("tv", "anime"), ("novel", "manga")] {
          group.addTask {
            try await Database.with(settings, applicationName: name) { database in
              let stream = StreamDescription.list(name, kind: kind, subtype: name)
              let store = PostgresWalkStore(database)
              for _ in 1...2 {
                var walk = try await WalkedList(store, stream)
                for page in 1...5 {
                  try await store.renew(walk.open, stream: stream)
                  try await walk.commit(page, (1...10).map { Media(Int64(page * 100 + $0)) })
                }
                #expect(try await walk.finish().status == .complete)
              }
              _ = try await Runs.status(database)
            }
          }
        }
        try await group.waitForAll()
      }
      let runs = try await mirror.rows(
        "SELECT stream, sum(inserted + updated + unchanged), count(*) FROM sync.run GROUP BY 1 ORDER BY 1")
      #expect(runs.map { $0[1] } == ["100", "100", "100", "100"] && runs.map { $0[2] } == ["2", "2", "2", "2"])
      #expect(try await mirror.value("SELECT count(*) FROM jikan.media") == "100")
      #expect(try await mirror.value("SELECT sum(inserted) FROM sync.run") == "100")
      #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "200")
    }
  }

  @Test("one holder of a lease, and the fence, as without the pooler")
  func fence() async throws {
    try await Self.with { _, settings, mirror in
      try await Database.with(settings, applicationName: "one") { one in
        _ = try await Migrator(one).migrate()
        try await Database.with(settings, applicationName: "other") { other in
          let test = StoreConformanceTests().test(
            PostgresWalkStore(one), other: PostgresWalkStore(other), .writes, mirror)
          for check in [WalkStoreConformance.lease, .fence] {
            try await check.run(test)
            try await mirror.abandonLeases()
          }
        }
      }
    }
  }

  @Test("the server is restarted behind the pooler: the walk continues, every page once")
  func restart() async throws {
    let server = try await ThrowawayPostgres.start()
    let test = try await server.makeProductDatabase()
    let pooler = try await ThrowawayPgBouncer.start(before: test)
    defer { pooler.stop() }
    try await Database.with(pooler.settings(test), applicationName: "run") { database in
      var walk = try await WalkedList(PostgresWalkStore(database), .topAnime)
      for page in 1...6 {
        if page % 2 == 0 {
          if page == 4 { try await server.kill() } else { try await server.stop() }
          try await server.start()
        }
        try await walk.commit(page, [Media(Int64(page))])
      }
      #expect(try await walk.finish().counters.inserted == 6)
    }
    try await server.stop()
  }
}
