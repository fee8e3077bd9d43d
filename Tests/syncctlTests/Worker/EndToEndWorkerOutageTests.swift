import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct WorkerOutages {
    private static let jobs = ["name: top, source: jikan, streams: [top-anime], full: true, schedule: every 1s"]

    private func mirror(on server: ThrowawayPostgres) async throws -> Mirror {
      try Mirror.on(server, try await server.makeProductDatabase())
    }

    private func wait(_ mirror: Mirror, for runs: Int, after seen: String) async throws {
      try await mirror.wait(
        "more runs", until: "SELECT count(*) >= \(seen) + \(runs) FROM sync.job_run WHERE outcome = 'done'")
    }

    @Test func workerOutlivesARestartAKillAndALongAbsence() async throws {
      let server = try await ThrowawayPostgres.start()
      let absence = DrillSize.number("SYNCCTL_TEST_ABSENCE", otherwise: 8)
      let fresh = try await mirror(on: server)
      try await SimulatorServer.withServer(GeneratedJikan.plain(100)) { upstream in
        let mirror = try fresh.with(upstream: upstream.baseURL).with(jobs: Self.jobs, leaseTTL: "6s")
        let ended = try await mirror.whileWorking { worker in
          try await wait(mirror, for: 1, after: "0")
          for (what, away) in [("restarted", 0), ("killed", 0), ("gone", absence)] {
            let seen = try await mirror.sql("SELECT count(*) FROM sync.job_run WHERE outcome = 'done'")
            if what == "killed" { try await server.kill() } else { try await server.stop() }
            if away > 0 { try await letPass(.seconds(away)) }
            try await server.start()
            let back = ContinuousClock.now
            try await wait(mirror, for: 1, after: seen)
            let time = ContinuousClock.now - back
            tell(
              "worker: database \(what)\(away > 0 ? " for \(away) s" : ""), a run ended \(time.inSeconds) after it was "
                + "back")
            #expect(time < .seconds(30))
            #expect(try await mirror.sql("SELECT 1") == "1")
            #expect(kill(worker.identifier, 0) == 0, "the worker lives")
          }
          try await mirror.wait(
            "nothing left behind", until: "SELECT count(*) <= 1 FROM sync.job_run WHERE state <> 'ended'")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
        #expect(ended.standardError.contains("the database is back"), "\(ended.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "100")
        #expect(
          try await mirror.sql("SELECT count(*) FROM sync.job_run WHERE outcome NOT IN ('done', 'superseded')") == "0")
      }
      try await server.stop()
    }

    @Test func workerStartsBeforeItsDatabase() async throws {
      let server = try await ThrowawayPostgres.start()
      let fresh = try await mirror(on: server)
      try await server.stop()
      try await SimulatorServer.withServer(GeneratedJikan.plain(50)) { upstream in
        let mirror = try fresh.with(upstream: upstream.baseURL).with(jobs: Self.jobs)
        let ended = try await mirror.whileWorking { _ in
          try await letPass(.seconds(2))
          try await server.start()
          try await wait(mirror, for: 1, after: "0")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
        #expect(ended.standardError.contains("retrying"))
      }
      let denied = try await fresh.with(jobs: Self.jobs).with([
        "SYNCCTL_DATABASE_URL": "postgresql://syncctl_tcp@127.0.0.1:\(fresh.database.tcpPort)/\(fresh.database.name)",
        "PGPASSWORD": "wrong",
      ]).syncctl("worker")
      #expect(denied.end == .exit(77), "\(denied.standardError)")
      #expect(!denied.standardError.contains("wrong"))
      try await server.stop()
    }

    @Test func workerFollowsAFailover() async throws {
      let server = try await ThrowawayPostgres.start()
      let fresh = try await mirror(on: server)
      let standby = try await server.startStandby()
      let ports = [fresh.database.tcpPort, standby.port]
      let database = fresh.database
      let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
      try await SimulatorServer.withServer(GeneratedJikan.plain(100)) { upstream in
        let mirror = try fresh.with(upstream: upstream.baseURL).with(jobs: Self.jobs, leaseTTL: "6s").with([
          "SYNCCTL_DATABASE_URL": "postgresql://\(database.tcpUser)@\(hosts)/\(database.name)",
          "PGPASSWORD": database.tcpPassword,
        ])
        let ended = try await mirror.whileWorking { _ in
          try await wait(mirror, for: 2, after: "0")
          // Until its promotion, the standby accepts connections but refuses writes.
          try await server.kill()
          let gone = ContinuousClock.now
          try await standby.promote()
          let promoted = ContinuousClock.now
          func done() async throws -> Int {
            try await mirror.succeed("jobs", "list", "--format", "json")
            let runs = try await mirror.syncctl("runs", "--limit", "100000", "--format", "json")
            return try #require(try JSONValue(runs.standardOutput).array).count { $0["status"] == .string("complete") }
          }
          let seen = try await done()
          try await waitUntil("a run on the new primary") { try await done() > seen }
          tell(
            "worker: primary killed, standby promoted after \((promoted - gone).inSeconds), "
              + "a run ended there \((ContinuousClock.now - promoted).inSeconds) later")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
      }
      try await standby.stop()
    }
  }
}
