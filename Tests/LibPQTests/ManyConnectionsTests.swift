import Glibc
import LibPQ
import PostgresTestKit
import SyncTestKit
import Testing

extension LibPQTests {
  /// One test counts the connections of the whole process, so the other test must not run at the same time.
  @Suite(.serialized) struct ManyConnectionsTests {
    @Test func aThousandConnectionsLeaveNothingBehind() async throws {
      let (database, watcher) = try await connectToNewDatabase()
      try await (PostgresConnection.connect(database.settings)).close()
      let (handles, results) = (LiveHandles.connectionCount, LiveHandles.resultCount)
      let descriptors = try openDescriptors()
      // Other tests can open up to 50 connections meanwhile. A leak in this test would leave at least 100 connections.
      let others = 50
      for round in 0..<1_000 {
        let connection = try await PostgresConnection.connect(database.settings)
        try await connection.withConnection { _ = try $0.query("SELECT 1").int(row: 0, column: 0) }
        if round.isMultiple(of: 2) { await connection.close() }
        if round.isMultiple(of: 10) {
          var settings = database.settings
          settings["dbname"] = "no such"
          _ = try await postgresError { try await PostgresConnection.connect(settings) }
        }
      }
      try await waitUntil(watcher, "SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database()")
      // A released connection is closed a little later, because it first sends Terminate. A test with 2,000 clients can
      // have its descriptors open for some seconds.
      try await waitUntil("the connections and descriptors of before") {
        try openDescriptors() <= descriptors + others && LiveHandles.connectionCount <= handles + others
      }
      #expect(LiveHandles.resultCount <= results + others)
    }

    /// The test blocks 80 statements. Swift's thread pool and the global queues have fewer threads.
    @Test func blockedConnectionsDoNotBlockThePool() async throws {
      let database = try await ThrowawayPostgres.shared().makeDatabase()
      let holder = try await PostgresConnection.connect(database.settings)
      try await holder.withConnection { try $0.script("SELECT pg_advisory_lock(2)") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<80 {
          let connection = try await PostgresConnection.connect(database.settings)
          group.addTask {
            try await connection.withConnection {
              try $0.script("SELECT pg_advisory_xact_lock_shared(2), pg_sleep(0.1)")
            }
          }
        }
        try await waitUntil(holder, "SELECT count(*) = 80 FROM pg_locks WHERE " + someoneWaits)
        try await holder.withConnection { try $0.script("SELECT pg_advisory_unlock(2)") }
        try await group.waitForAll()
      }
    }

    private func openDescriptors() throws -> Int {
      let folder = try #require(opendir("/proc/self/fd"))
      defer { closedir(folder) }
      var count = 0
      while readdir(folder) != nil { count += 1 }
      return count
    }
  }
}
