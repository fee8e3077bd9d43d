import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DatabaseOutages {
    private static let items = 5000

    private func mirror(leaseTTL: String) async throws -> Mirror {
      let server = try await ThrowawayPostgres.start()
      return try Mirror.on(server, try await server.makeProductDatabase()).with(["SYNCCTL_LEASE_TTL": leaseTTL])
    }

    @Test func runOutlivesARestartAndAKill() async throws {
      let upstream = GeneratedJikan.plain(Self.items)
      let expected = try await Undisturbed.walk(of: upstream)
      let fresh = try await mirror(leaseTTL: "90s")
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        let result = try await mirror.syncctl("run", "--stream", "top-anime") { _ in
          try await server.waitForRequests(10, after: 0)
          for end in ["fast", "kill"] {
            let start = ContinuousClock.now
            if end == "fast" { try await mirror.server.stop() } else { try await mirror.server.kill() }
            try await mirror.server.start()
            let (back, seen) = (ContinuousClock.now, server.history.count)
            // The queue holds 32 pages, so the 33rd request shows that a page was committed.
            try await server.waitForRequests(33, after: seen)
            let (away, pause) = (back - start, ContinuousClock.now - back)
            tell("database (\(end)): away for \(away.inSeconds), continued after \(pause.inSeconds)")
          }
        }
        #expect(result.end == .exit(0), "\(result.standardError)")
        #expect(try await mirror.published() == expected.published)
        #expect(try await mirror.totals() == expected.totals)
        #expect(try await mirror.sql("SELECT count(*), min(status) FROM sync.run") == "1|complete")
        #expect(server.history.count == expected.requests)
      }
      try await fresh.server.stop()
    }

    /// - Parameter signal: The signal for the waiting run; `nil` to let the run wait.
    @Test(arguments: [nil, SIGTERM])
    func runEndsWithoutADatabase(signal: Int32?) async throws {
      let upstream = GeneratedJikan.plain(Self.items)
      // A run waits a third of the lease's TTL for the database, and a third to close its ledger row.
      let waitsBriefly = signal == nil && !DrillSize.isLong
      let fresh = try await mirror(leaseTTL: waitsBriefly ? "12s" : "90s")
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        let start = Changing(ContinuousClock.now)
        let ended = try await mirror.syncctl("run", "--stream", "top-anime") { program in
          try await server.waitForRequests(10, after: 0)
          try await mirror.server.stop()
          if let signal {
            try await waitUntilQuiet(server)
            program.signal(signal)
          }
          start.value = .now
        }
        let time = ContinuousClock.now - start.value
        tell("database (gone, \(signal.map { "signal \($0)" } ?? "left alone")): \(ended.end) after \(time.inSeconds)")
        #expect(ended.end == .exit(signal.map { 128 + $0 } ?? 74), "\(ended.standardError)")
        // The limits are high, because a busy machine can delay the run.
        #expect(time < .seconds(signal == nil && !waitsBriefly ? 75 : 20))
        #expect(ended.standardError.contains("connecting again"), "\(ended.standardError)")

        try await mirror.server.start()
        try await mirror.expectWholePages("after the outage")
        try await mirror.succeed("run", "--stream", "top-anime")
        #expect(
          try await mirror.sql("SELECT string_agg(status, ' ' ORDER BY started_at) FROM sync.run")
            == "interrupted complete")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "\(Self.items)")
        // The pages that waited for the database are requested again.
        #expect(server.history.count <= Self.items / 25 + 1 + 32)
      }
      try await fresh.server.stop()
    }

    private func waitUntilQuiet(_ server: SimulatorServer) async throws {
      var (count, since) = (server.history.count, ContinuousClock.now)
      try await waitUntil("silence") {
        if server.history.count != count { (count, since) = (server.history.count, .now) }
        return ContinuousClock.now - since > .milliseconds(500)
      }
    }
  }
}
