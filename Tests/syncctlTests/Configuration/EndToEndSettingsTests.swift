import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Settings of the PostgreSQL role or database must not change what syncctl stores or prints.
  @Suite struct ServerSettings {
    /// Each value would change what is stored or read, or end a session. The list omits
    /// `default_transaction_read_only`, which makes a server look like a standby, and settings that need a superuser.
    static let hostile = [
      ("array_nulls", "off"), ("backslash_quote", "off"), ("bytea_output", "escape"), ("check_function_bodies", "on"),
      ("client_encoding", "LATIN1"), ("client_min_messages", "error"), ("datestyle", "SQL, DMY"),
      ("default_transaction_deferrable", "on"), ("default_transaction_isolation", "serializable"),
      ("exit_on_error", "on"), ("extra_float_digits", "-15"), ("gin_fuzzy_search_limit", "1"),
      ("idle_in_transaction_session_timeout", "1ms"), ("intervalstyle", "sql_standard"), ("lock_timeout", "1ms"),
      ("quote_all_identifiers", "on"), ("search_path", "public, pg_catalog"), ("standard_conforming_strings", "off"),
      ("statement_timeout", "500ms"), ("timezone", "Pacific/Kiritimati"), ("transform_null_equals", "on"),
      ("xmlbinary", "hex"), ("xmloption", "document"),
    ]

    private struct Seen: Equatable {
      var contents = ""
      var history = ""
      var answers: [String] = []
    }

    private func seen(_ mirror: Mirror, reset: String) async throws -> Seen {
      var seen = Seen()
      let upstream = Changing(JikanSettings(items: 60))
      try await SimulatorServer.withServer(ScriptedUpstream { await GeneratedJikan(upstream.value).answer($0) }) {
        server in
        for revision in 0...1 {
          upstream.value.revision = revision
          try await mirror.with(upstream: server.baseURL).succeed("run", "--stream", "top-anime", "--full")
        }
      }
      for arguments in [
        ["rankings", "jikan", "--limit", "60"], ["rankings", "jikan", "--sort", "popularity"],
        ["rankings", "jikan", "--sort", "favorites"], ["migrate", "--status"],
      ] {
        let answer = try await mirror.succeed(arguments + ["--format", "csv"])
        if arguments[0] == "rankings" { seen.answers.append(answer.standardOutput) }
      }
      _ = try await mirror.server.sql(reset, database: "postgres")
      seen.contents = try await mirror.contents()
      seen.history = try await mirror.sql(
        "SELECT mal_id, position, rank, score, members, favorites FROM jikan.ranking_history ORDER BY 1, 2, 3")
      return seen
    }

    private static let plain = Task { try await Self().seen(try await Mirror.make(), reset: "SELECT 1") }

    @Test func ofTheDatabase() async throws {
      let mirror = try await Mirror.make(.unmigrated)
      try await expectTheSame(mirror, settingsOf: "DATABASE \(mirror.database.name)")
    }

    @Test(arguments: [false, true]) func ofTheRoleAllAtOnce(behindPooler: Bool) async throws {
      var mirror = try await Mirror.make(.unmigrated)
      let database = mirror.database
      let user = behindPooler ? database.productTCPUser : ProductRole.login ?? database.user
      let pooler = behindPooler ? try await ThrowawayPgBouncer.start(before: database) : nil
      defer { pooler?.stop() }
      if let pooler { mirror = mirror.with(["SYNCCTL_DATABASE_URL": pooler.url(database)]) }
      try await expectTheSame(mirror, settingsOf: "ROLE \(user) IN DATABASE \(database.name)")
    }

    private func expectTheSame(_ mirror: Mirror, settingsOf target: String) async throws {
      for (name, value) in Self.hostile {
        let value = name == "search_path" ? value : "'\(value)'"
        try await mirror.server.sql("ALTER \(target) SET \(name) = \(value)", database: "postgres")
      }
      let seen = try await seen(mirror, reset: "ALTER \(target) RESET ALL")
      #expect(try await seen == Self.plain.value)
    }
  }
}
