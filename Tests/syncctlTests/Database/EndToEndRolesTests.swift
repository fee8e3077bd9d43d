import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Roles {
    private static func upstream() throws -> SideBySideUpstream {
      SideBySideUpstream(
        [.pokeAPI: HandmadePokeAPI(pokemon: 3), .iTunes: GeneratedITunes()],
        other: GeneratedJikan.plain(100))
    }

    private static func with(
      _ role: String, _ body: (_ user: String, _ mirror: Mirror) async throws -> Void
    ) async throws {
      let fresh = try await Mirror.make()
      try await fresh.server.grant(in: fresh.database)
      let user = "mary_\(fresh.database.name)"
      _ = try await fresh.sql("CREATE ROLE \(user) LOGIN PASSWORD 'S3cr3t' \(role.isEmpty ? "" : "IN ROLE \(role)")")
      let place = "127.0.0.1:\(fresh.database.tcpPort)/\(fresh.database.name)?sslmode=disable"
      try await SimulatorServer.withServer(try upstream()) { server in
        let mirror = fresh.with(upstream: server.baseURL)
          .with([
            "SYNCCTL_DATABASE_URL": "postgresql://\(user):S3cr3t@\(place)", "SYNCCTL_JIKAN_RATE_LIMITS": "1000/1s",
          ])
        try await body(user, mirror)
      }
    }

    private struct Told: Equatable {
      var good: [String] = []
      var faults: [String] = []

      static let allIsWell = Told(good: ["all that a worker needs"])
    }

    private static func rights(
      _ mirror: Mirror, exits status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Told {
      let result = try await mirror.syncctl("doctor", "--format", "json")
      #expect(result.end == .exit(status), "\(result.standardOutput)", sourceLocation: sourceLocation)
      let findings = try #require(try JSONValue(result.standardOutput).array).filter { $0["check"]?.text == "rights" }
      return Told(
        good: findings.filter { $0["ok"] == .bool(true) }.compactMap { $0["finding"]?.text },
        faults: findings.filter { $0["ok"] == .bool(false) }.compactMap { $0["finding"]?.text })
    }

    /// The right on `sync.rate_budget` comes first, because only an origin's first permit needs this right.
    private static let revoked = [
      "INSERT ON sync.rate_budget", "INSERT ON sync.run", "USAGE ON SCHEMA jikan", "SELECT ON sync.migration",
      "UPDATE ON sync.stream_state",
      "EXECUTE ON FUNCTION jikan.make_ranking_history_partition(timestamp with time zone)", "DELETE ON jikan.ranking",
    ]

    @Test("a run that lacks a right names doctor, doctor names the statement, and after the statements the run works")
    func missing() async throws {
      try await Self.with("syncctl_worker") { user, mirror in
        for right in Self.revoked {
          _ = try await mirror.sql("REVOKE \(right) FROM syncctl_worker")
          // This run succeeds without DELETE, because no item has left the list.
          if !right.hasPrefix("DELETE") {
            let refused = try await mirror.syncctl("run", "--stream", "top-anime")
            #expect(refused.end == .exit(77) || refused.end == .exit(1), "\(right): \(refused.standardError)")
            let told = refused.standardError.contains("syncctl doctor names the GRANT that is missing")
            #expect(told, "\(right): \(refused.standardError)")
          }
          let statement = "GRANT \(right) TO \(user)"
          let told = try await Self.rights(mirror, exits: 77)
          let fault = "\(user) lacks \(right.replacing(" ON ", with: " on ")); \(statement)"
          #expect(told.faults == [fault] && told.good.isEmpty)
          _ = try await mirror.sql(statement)
        }
        // doctor also reports a stream whose last run failed, so a successful run comes first.
        try await mirror.succeed("run", "--stream", "top-anime")
        #expect(try await Self.rights(mirror, exits: 0) == .allIsWell)
      }
    }

    @Test("a role without any right gets one line with the one statement that grants all rights")
    func nothingAtAll() async throws {
      try await Self.with("") { user, mirror in
        let told = try await Self.rights(mirror, exits: 77)
        #expect(told.faults.count == 1 && told.good.isEmpty, "\(told)")
        let fault = try #require(told.faults.first?.wholeMatch(of: #/(.*) lacks (\d+) rights, such as .*; (.*)/#))
        #expect(fault.output.1 == user && (Int(fault.output.2) ?? 0) > 100)
        #expect(fault.output.3 == "GRANT syncctl_worker TO \(user) (sql/roles.sql creates that role)")
        _ = try await mirror.sql("GRANT syncctl_worker TO \(user)")
        #expect(try await Self.rights(mirror, exits: 0) == .allIsWell)
      }
    }

    @Test("a worker without the rights of an upgrade is told how to get all new ones")
    func leftBehind() async throws {
      try await Self.with("syncctl_worker") { user, mirror in
        _ = try await mirror.sql("REVOKE ALL ON sync.job, sync.job_run FROM syncctl_worker")
        let told = try await Self.rights(mirror, exits: 77)
        let remedy = "sql/roles.sql, run by the owner, grants them to syncctl_worker again"
        #expect(told.faults.count == 1 && told.good.isEmpty, "\(told)")
        #expect(told.faults.first?.contains("\(user) lacks 7 rights, such as ") == true, "\(told)")
        #expect(told.faults.first?.hasSuffix(remedy) == true, "\(told)")
        try await mirror.server.grant(in: mirror.database)
        #expect(try await Self.rights(mirror, exits: 0) == .allIsWell)
      }
    }

    @Test("the schema is the owner's, and a worker that finds a pending step says so")
    func pending() async throws {
      try await Self.with("syncctl_worker") { _, mirror in
        _ = try await mirror.sql("UPDATE sync.function_set SET number = 0")
        let doctor = try await mirror.syncctl("doctor", "--format", "json")
        #expect(doctor.end == .exit(77) && doctor.standardOutput.contains("let the owner run syncctl migrate"))
        let run = try await mirror.syncctl("run", "--stream", "top-anime")
        #expect(run.end == .exit(77), "\(run.standardError)")
      }
    }

    @Test(
      "a reader or user can query but not run; favorites belong to the user",
      arguments: ["syncctl_reader", "syncctl_user"])
    func reader(role: String) async throws {
      try await Self.with(role) { user, mirror in
        _ = try await mirror.sql(
          """
          INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash)
          VALUES ('anime', 1, 'One', '{}', decode(repeat('00', 33), 'hex'))
          """)
        let mayWrite = role == "syncctl_user"
        let added = try await mirror.syncctl("favorites", "add", "jikan", "anime", "1", "--note", "mine")
        #expect(added.end == .exit(mayWrite ? 0 : 77), "\(added.standardError)")
        let listed = try await mirror.syncctl("favorites", "list", "--format", "json")
        #expect(listed.end == .exit(0) && listed.standardOutput.contains("mine") == mayWrite)
        #expect(try await mirror.syncctl("rankings", "pokeapi").end != .exit(77))
        #expect(try await mirror.syncctl("itunes", "history").end == .exit(mayWrite ? 0 : 77))
        _ = try await mirror.sql(
          "INSERT INTO itunes.lookup_history (action, country, term, results) VALUES ('search', 'us', 'my words', 0)")
        try await mirror.browse { browser in
          let page = try await browser.get("/itunes")
          #expect(page.status == 200 && page.body.contains("No chart has been mirrored yet"), "\(page)")
          #expect(page.body.contains("my words") == mayWrite, "\(page)")
        }
        let told = try await Self.rights(mirror, exits: 0)
        #expect(told.faults.isEmpty && told.good.count == 1)
        #expect(told.good.first?.hasPrefix("\(user) can query but not run; ") == true)
        #expect(try await mirror.syncctl("status").end == .exit(0))
        let run = try await mirror.syncctl("run", "--stream", "top-anime")
        #expect(run.end == .exit(77), "\(run.standardError)")
      }
    }

    @Test("only the owner sets how long the history is kept, by migrate or run; a worker reports that it differs")
    func retention() async throws {
      try await Self.with("syncctl_worker") { _, mirror in
        let kept = "SELECT coalesce(kept_days::text, 'all') FROM jikan.ranking_retention"
        let worker = mirror.with(["SYNCCTL_HISTORY_RETENTION": "30d"])
        let run = try await worker.syncctl("run", "--stream", "top-anime")
        #expect(run.end == .exit(0) && run.standardError.contains("kept forever and not 30 days as configured"))
        #expect(try await mirror.sql(kept) == "all")
        let owner = worker.asOwner
        let migrated = try await owner.syncctl("migrate")
        #expect(migrated.standardError.contains("kept 30 days (before: forever)"), "\(migrated.standardError)")
        #expect(try await mirror.sql(kept) == "30")
        let again = try await worker.syncctl("run", "--stream", "top-anime")
        #expect(again.end == .exit(0) && !again.standardError.contains("kept"), "\(again.standardError)")
        #expect(try await mirror.asOwner.syncctl("run", "--stream", "top-anime").end == .exit(0))
        #expect(try await mirror.sql(kept) == "30")
        let forever = try await owner.with(["SYNCCTL_HISTORY_RETENTION": "forever"]).syncctl("run")
        #expect(forever.standardError.contains("kept forever (before: 30 days)"), "\(forever.standardError)")
        #expect(try await mirror.sql(kept) == "all")
      }
    }

    @Test("the owner has all rights, and an empty database has nothing to report")
    func owner() async throws {
      try await Mirror.with(try Self.upstream(), start: .unmigrated) { fresh, _ in
        let mirror = fresh.asOwner
        let before = try await Self.rights(mirror, exits: 0)
        if ProductRole.name == nil { #expect(before == Told()) }
        #expect(try await mirror.syncctl("migrate").end == .exit(0))
        #expect(try await Self.rights(mirror, exits: 0) == .allIsWell)
      }
    }

    @Test(
      "the program runs as the role that the tests name", .enabled(if: ProductRole.name != nil, "no role is configured")
    )
    func productRole() async throws {
      let mirror = try await Mirror.make()
      let told = try await mirror.syncctl("doctor", "--format", "json")
      #expect(told.standardOutput.contains("user \(ProductRole.login ?? "")"))
      #expect(try await mirror.sql("SELECT rolsuper FROM pg_roles WHERE rolname = '\(ProductRole.login ?? "")'") == "f")
      #expect(try await mirror.syncctl("favorites", "list").end == .exit(0))
      let removed = try await mirror.syncctl("favorites", "remove", "jikan", "anime", "1")
      #expect(removed.end == .exit(77), "\(removed.standardError)")
    }
  }
}
