import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Runs that are stopped for longer than their lease, as on a suspended machine, and then continue.
  @Suite struct Freezes {
    private static let items = 2000
    /// Short, but long enough that a busy machine does not lose an uncontested lease.
    private static let ttl = Duration.seconds(15)

    enum Route: String, CaseIterable {
      case direct
      /// Through a pooler that gives every transaction another session.
      case pooled
    }

    enum Moment: Equatable {
      /// The transaction of a page is open; the row of the lease is locked.
      case insideAPage
      case anywhere(round: UInt64)
    }

    @Test(arguments: Route.allCases, [.insideAPage, .anywhere(round: 1), .anywhere(round: 2)] as [Moment])
    func frozenRunWritesNothingAfterWaking(route: Route, moment: Moment) async throws {
      let upstream = GeneratedJikan.plain(Self.items)
      let gate = Gate()
      try await SimulatorServer.withServer(upstream.waiting(from: 10, at: gate)) { server in
        // Before the server stops, because it waits for its answers.
        defer { gate.open() }
        let mirror = try await Mirror.make().with(upstream: server.baseURL).with(["SYNCCTL_LEASE_TTL": "15s"])
        try await mirror.installWitness()
        let pooler = route == .pooled ? try await ThrowawayPgBouncer.start(before: mirror.database) : nil
        defer { pooler?.stop() }
        let url = pooler?.url(mirror.database) ?? mirror.database.productURL
        let copy = mirror.with(["SYNCCTL_DATABASE_URL": url])

        let after = Changing("")
        let frozen = try await copy.syncctl("run", "--stream", "top-anime") { program in
          do {
            try await freeze(program, at: moment, mirror, server, gate)
            try await takeOver(from: program, copy, note: "\(route), \(moment), seed \(testSeed)")
            after.value = try await mirror.everything()
            program.signal(SIGCONT)
          } catch {
            // A stopped process would never end by itself.
            program.signal(SIGKILL)
            throw error
          }
        }
        #expect(frozen.end == .exit(75), "seed \(testSeed): \(frozen.standardError)")
        // Its clock shows that the lease may have expired; otherwise the fence reports it.
        let reasons = ["the lease could not be renewed", "another process has taken over"]
        #expect(reasons.contains { frozen.standardError.contains($0) }, "\(frozen.standardError)")
        #expect(try await mirror.everything() == after.value, "seed \(testSeed)")
        try await mirror.expectOneWriterAtATime(runs: 2)
        let rows = "SELECT count(*), count(DISTINCT position) FROM jikan.ranking"
        #expect(try await mirror.sql(rows) == "\(Self.items)|\(Self.items)")
      }
    }

    /// Stops the program at the given moment.
    private func freeze(
      _ program: RunningProgram, at moment: Moment, _ mirror: Mirror, _ server: SimulatorServer, _ gate: Gate
    ) async throws {
      guard case .anywhere(let round) = moment else {
        try await waitUntil("the request for page 10") { gate.arrivals > 0 }
        let locks = "FROM pg_locks WHERE relation = 'jikan.media'::regclass AND"
        async let blocker = mirror.sql("BEGIN; LOCK TABLE jikan.media IN SHARE MODE; SELECT pg_sleep(60)")
        try await waitUntil("the lock") { try await mirror.sql("SELECT count(*) \(locks) mode = 'ShareLock'") == "1" }
        gate.open()
        try await waitUntil("the blocked write") { try await mirror.sql("SELECT count(*) \(locks) NOT granted") == "1" }
        program.signal(SIGSTOP)
        _ = try await mirror.sql("SELECT pg_terminate_backend(pid) \(locks) mode = 'ShareLock'")
        _ = try? await blocker
        return
      }
      var random = SeededGenerator(seed: testSeed &+ round)
      gate.open()
      try await server.waitForRequests(Int.random(in: 5...40, using: &random), after: 0)
      // So that it stops during a fetch, during a commit or in between.
      try await letPass(.microseconds(Int.random(in: 0...20_000, using: &random)))
      program.signal(SIGSTOP)
    }

    /// Another copy is first refused with the lease's owner, then waits for its end and finishes the walk.
    private func takeOver(from program: RunningProgram, _ other: Mirror, note: String) async throws {
      let start = ContinuousClock.now
      let refused = try await other.syncctl("run", "--stream", "top-anime")
      // If a busy machine took longer than the lease, taking over at once is correct.
      let isLate = refused.end == .exit(0) && refused.duration > Self.ttl / 2
      if !isLate {
        refused.expectFailure(75, naming: "process \(program.identifier) ", ProcessInfo.processInfo.hostName)
      }
      let waited = try await other.syncctl("run", "--stream", "top-anime", "--wait")
      #expect(waited.end == .exit(0), "\(note): \(waited.standardError)")
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
