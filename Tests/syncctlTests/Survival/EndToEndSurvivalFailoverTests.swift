import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Failovers {
    private static let items = 1000

    enum Loss: String, CaseIterable {
      case pages
      case wholeRun
    }

    private func waitForPage(_ page: Int, _ mirror: Mirror) async throws {
      try await mirror.wait("page \(page)", until: "SELECT max(page) = \(page) FROM sync.walk_page")
    }

    @Test(arguments: Loss.allCases)
    func failoverToAStandbyThatLagsBehind(loss: Loss) async throws {
      let server = try await ThrowawayPostgres.start()
      let fresh = try Mirror.on(server, try await server.makeProductDatabase())
      let standby = try await server.startStandby()
      let database = fresh.database
      let hosts = [database.tcpPort, standby.port].map { "127.0.0.1:\($0)" }.joined(separator: ",")
      let (first, second) = (Gate(), Gate())
      let upstream = GeneratedJikan.plain(Self.items).waiting(from: 33, at: second).waiting(from: 25, at: first)
      try await SimulatorServer.withServer(upstream) { server in
        defer { [first, second].forEach { $0.open() } }
        let mirror = fresh.with(upstream: server.baseURL).with([
          "SYNCCTL_DATABASE_URL": "postgresql://\(database.productTCPUser)@\(hosts)/\(database.name)",
          "PGPASSWORD": database.tcpPassword,
        ])
        var frozen: [Int32] = loss == .wholeRun ? try await mirror.server.freezeReplication() : []
        let cut = try await mirror.syncctl("run", "--stream", "top-anime") { _ in
          try await waitForPage(24, mirror)
          if loss == .pages {
            let page = "SELECT coalesce(max(page), 0) FROM sync.walk_page"
            try await waitUntil("the standby to have page 24") {
              try await standby.sql(page, database: database.name) == "24"
            }
            frozen = try await mirror.server.freezeReplication()
          }
          first.open()
          try await waitForPage(32, mirror)
          try await mirror.server.kill()
          for process in frozen { kill(process, SIGKILL) }
          try await standby.promote()
          second.open()
        }
        #expect(frozen.count == 1)
        let lost = loss == .pages ? "the stored walk has 24 pages, this run had committed 32" : "the start of this run"
        cut.expectFailure(75, naming: "the database has lost", lost, isQuiet: false)
        tell("failover (\(loss)): \(cut.standardError.split(separator: "\n").last ?? "")")
        let seen = "SELECT count(*), coalesce(max(cursor), 0) FROM sync.walk_page, sync.stream_state"
        #expect(try await standby.sql(seen, database: database.name) == (loss == .pages ? "24|24" : "0|0"))
        #expect(try await standby.sql("SELECT count(*) FROM sync.publication", database: database.name) == "0")

        let requests = server.history.count
        try await mirror.succeed("run", "--stream", "top-anime")
        let pages = Self.items / 25
        #expect(server.history.count - requests == (loss == .pages ? pages - 24 : pages))
        let counts =
          "SELECT count(*), count(DISTINCT position) FROM jikan.ranking UNION ALL SELECT count(*), count(*) FROM jikan.media"
        #expect(
          try await standby.sql(counts, database: database.name)
            == "\(Self.items)|\(Self.items)\n\(Self.items)|\(Self.items)")
        let runs = try await standby.sql(
          "SELECT string_agg(status, ' ' ORDER BY started_at) FROM sync.run", database: database.name)
        #expect(runs == (loss == .pages ? "failed complete" : "complete"))
      }
      try await standby.stop()
    }
  }
}
