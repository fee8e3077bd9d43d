import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// As on a suspended machine, the runs are stopped for longer than their lease.
  @Suite struct Freezes {
    private static let items = 2000
    /// The TTL in seconds. A run stops if it cannot renew its lease for two thirds of the TTL. A wait for a lock is
    /// shorter (`Limits.lockTimeout`), so it does not stop the run.
    private static let ttl = 9

    enum Route: String, CaseIterable {
      case direct
      /// The run connects through a pooler that can use a different session for each transaction.
      case pooled
    }

    enum Moment: CaseIterable {
      /// The transaction of a page is open, and the row of the lease is locked.
      case insideAPage
      case anywhere
    }

    @Test(arguments: Route.allCases, Moment.allCases)
    func frozenRunWritesNothingAfterWaking(route: Route, moment: Moment) async throws {
      let upstream = GeneratedJikan.plain(Self.items)
      let gate = Gate()
      try await SimulatorServer.withServer(upstream.waiting(from: 10, at: gate)) { server in
        defer { gate.open() }
        let mirror = try await Mirror.make().with(upstream: server.baseURL).with(["SYNCCTL_LEASE_TTL": "\(Self.ttl)s"])
        try await mirror.installWitness()
        let pooler = route == .pooled ? try await ThrowawayPgBouncer.start(before: mirror.database) : nil
        defer { pooler?.stop() }
        let url = pooler?.url(mirror.database) ?? mirror.database.productURL
        let copy = mirror.with(["SYNCCTL_DATABASE_URL": url])

        let after = Changing("")
        let frozen = try await copy.syncctl("run", "--stream", "top-anime") { program in
          do {
            let held = try await freeze(program, at: moment, mirror, server, gate)
            try await takeOver(from: program, since: held, copy, note: "\(route), \(moment), seed \(testSeed)")
            after.value = try await mirror.everything()
            program.signal(SIGCONT)
          } catch {
            program.signal(SIGKILL)
            throw error
          }
        }
        #expect(frozen.end == .exit(75), "seed \(testSeed): \(frozen.standardError)")
        // The run notices that its lease can have expired, or the database rejects a write of the run.
        let reasons = ["the lease could not be renewed", "another process has taken over"]
        #expect(reasons.contains { frozen.standardError.contains($0) }, "\(frozen.standardError)")
        #expect(try await mirror.everything() == after.value, "seed \(testSeed)")
        try await mirror.expectOneWriterAtATime(runs: 2)
        let rows = "SELECT count(*), count(DISTINCT position) FROM jikan.ranking"
        #expect(try await mirror.sql(rows) == "\(Self.items)|\(Self.items)")
      }
    }

    /// - Returns: A time at which the program held its lease and still renewed it.
    private func freeze(
      _ program: RunningProgram, at moment: Moment, _ mirror: Mirror, _ server: SimulatorServer, _ gate: Gate
    ) async throws -> ContinuousClock.Instant {
      if moment == .insideAPage {
        try await waitUntil("the request for page 10") { gate.arrivals > 0 }
        // Databases of one template share the ids of their relations, so the query also compares the database.
        let locks = """
          FROM pg_locks WHERE relation = 'jikan.media'::regclass
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND
          """
        async let blocker = mirror.sql("BEGIN; LOCK TABLE jikan.media IN SHARE MODE; SELECT pg_sleep(60)")
        try await waitUntil("the lock") { try await mirror.sql("SELECT count(*) \(locks) mode = 'ShareLock'") == "1" }
        let held = ContinuousClock.now
        gate.open()
        try await waitUntil("the blocked write") { try await mirror.sql("SELECT count(*) \(locks) NOT granted") == "1" }
        program.signal(SIGSTOP)
        _ = try await mirror.sql("SELECT pg_terminate_backend(pid) \(locks) mode = 'ShareLock'")
        // The blocker's query fails, because its session was terminated.
        _ = try? await blocker
        return held
      }
      var random = SeededGenerator(seed: testSeed)
      gate.open()
      try await server.waitForRequests(Int.random(in: 5...40, using: &random), after: 0)
      // The delay is random, so that the program stops during a fetch, during a commit or in between.
      try await letPass(.microseconds(Int.random(in: 0...20_000, using: &random)))
      let held = ContinuousClock.now
      program.signal(SIGSTOP)
      return held
    }

    /// Expects that a second run fails while the lease is held. A third run waits for the lease and completes the walk.
    private func takeOver(
      from program: RunningProgram, since held: ContinuousClock.Instant, _ other: Mirror, note: String
    ) async throws {
      let start = ContinuousClock.now
      let refused = try await other.syncctl("run", "--stream", "top-anime")
      // After three quarters of the TTL, the lease of `program` can have ended, so a take-over is correct.
      if refused.end == .exit(0), ContinuousClock.now - held > Duration.seconds(Self.ttl) * 3 / 4 {
        return tell("freeze (\(note)): this machine is too busy; the lease had ended before the other copy looked")
      }
      refused.expectFailure(75, naming: "process \(program.identifier) ", ProcessInfo.processInfo.hostName)
      try await other.succeed("run", "--stream", "top-anime", "--wait")
      let silence = try await other.sql(
        """
        SELECT round(extract(epoch FROM min(at) FILTER (WHERE writer <> first) - max(at) FILTER (WHERE writer = first))
          ::numeric, 2)
        FROM witness.writing, (SELECT 'syncctl ' || id AS first FROM sync.run ORDER BY started_at LIMIT 1) AS run
        """)
      tell(
        "freeze (\(note)): refused after \(refused.duration.inSeconds), \(silence) s between the last write of the "
          + "frozen run and the first of the other, all done after \((ContinuousClock.now - start).inSeconds)")
    }
  }
}
