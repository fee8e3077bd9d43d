import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Commands {
    @Test func everyListingIsJSON() async throws {
      let upstream = SideBySideUpstream(
        [.pokeAPI: HandmadePokeAPI(pokemon: 3), .iTunes: GeneratedITunes()],
        other: GeneratedJikan.plain(100))
      try await Mirror.with(upstream) { mirror, _ in
        try await mirror.succeed("run", "--source", "jikan")
        let id = try await mirror.sql("SELECT mal_id FROM jikan.ranking WHERE kind = 'anime' AND position = 1")
        try await mirror.asOwner.succeed("favorites", "add", "jikan", "anime", id, "--note", "周杰倫 ✓")

        for (arguments, rows) in [
          (["status"], 2), (["runs"], 2), (["runs", "show"], 2), (["report"], 17), (["report", "freshness"], 2),
          (["favorites", "list"], 1), (["migrate", "--status"], nil), (["doctor"], nil), (["config"], nil),
          (["rankings", "jikan", "--kind", "manga", "--limit", "7"], 7), (["migrate"], 0),
        ] as [([String], Int?)] {
          for format in ["json", "ndjson"] {
            let user = arguments.first == "favorites" ? mirror.asOwner : mirror
            let result = try await user.succeed(arguments + ["--format", format])
            let lines = result.standardOutput.split(separator: "\n").map(String.init)
            let values =
              format == "json"
              ? try #require(try JSONValue(result.standardOutput).array, "\(arguments)") : try lines.map(JSONValue.init)
            if let rows { #expect(values.count == rows, "\(arguments)") }
            for value in values {
              let names = try #require(value.members).keys
              #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } }, "\(arguments): \(names)")
            }
          }
        }
        #expect(try await mirror.rows("runs", "--source", "jikan", "--source", "itunes").count == 2)
        #expect(try await mirror.rows("runs", "--stream", "top-anime:*").map { $0["stream"]?.text } == ["top-anime"])
        for (stream, hint) in [("nope", "known: "), ("top-anmie", "did you mean top-anime?")] {
          let words = "no source has a stream \(stream)"
          try await mirror.syncctl("runs", "--stream", stream).expectFailure(64, naming: words, hint)
        }
        let listed = try await mirror.asOwner.syncctl("favorites", "list", "--format", "json")
        let favorite = try JSONValue(listed.standardOutput)
        #expect(favorite.array?.first?["note"] == .string("周杰倫 ✓"))
        #expect(favorite.array?.first?["id"]?.int == Int(id))
      }
    }

    @Test("syncctl alone says what the mirror holds and what to do next, within a second, and starts nothing")
    func overview() async throws {
      try await Mirror.with(try HandmadeList.numbered(1...3).upstream) { mirror, _ in
        #expect(try await mirror.succeed([]).standardOutput.contains("nothing is mirrored yet"))
        try await mirror.succeed("run", "--stream", "top-anime")
        let text = try await mirror.succeed([]).standardOutput
        for words in [
          "3 rows in 1 stream", "top-anime: complete", "state          1 stream, none failed",
          "next           syncctl status", "Operate ",
        ] {
          #expect(text.contains(words), "\(text)")
        }
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 20, "\(text)")

        let deaf = try ListeningSocket()
        let silent = try await mirror.with(["SYNCCTL_DATABASE_URL": "postgresql://a@127.0.0.1:\(deaf.port)/b"])
          .succeed([])
        #expect(silent.standardOutput.contains("does not answer") && silent.duration < .seconds(3))

        let folder = mirror.home.path + "/none"
        let none = try await mirror.with(["SYNCCTL_DATABASE_URL": "", "SYNCCTL_DATA_DIR": folder]).succeed([])
        #expect(
          none.standardOutput.contains("no mirror yet in ")
            && none.standardOutput.contains("next           syncctl run"))
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try await mirror.succeed("help", "exit").standardOutput.contains("\n86 "))
      }
    }

    /// The test stores 0 as the function set's number, as if an older syncctl had created the functions and views.
    @Test func changedFunctionsArePendingAndApplied() async throws {
      let mirror = try await Mirror.make().asOwner
      let step = "functions and views"
      _ = try await mirror.sql("UPDATE sync.function_set SET number = 0")

      let status = try await mirror.syncctl("migrate", "--status", "--format", "csv")
      #expect(status.standardOutput.contains(",\(step),\r\n"), "\(status.standardOutput)")
      let planned = try await mirror.syncctl("migrate", "--dry-run", "--format", "csv")
      #expect(planned.standardOutput.contains(step) && planned.end == .exit(0))
      let doctor = try await mirror.syncctl("doctor", "--format", "csv")
      #expect(doctor.standardOutput.contains("\(step) pending"), "\(doctor.standardOutput)")

      #expect(try await mirror.syncctl("migrate", "--columns", "nope").end == .exit(64))
      let applied = try await mirror.syncctl("migrate", "--format", "csv")
      #expect(applied.standardOutput.contains(step) && applied.end == .exit(0), "\(applied.standardError)")
      let again = try await mirror.syncctl("migrate", "--format", "csv")
      #expect(!again.standardOutput.contains(step) && again.end == .exit(0))
    }

    @Test func doctorTellsWhatIsBroken() async throws {
      let mirror = try await Mirror.make()
      let down = try await SimulatorServer.withServer(HandmadeList(items: []).upstream) { $0.baseURL }
      let result = try await mirror.with(upstream: down).syncctl("doctor", "--format", "json")
      #expect(result.end == .exit(69))
      let checks = try #require(try JSONValue(result.standardOutput).array)
      #expect(
        checks.filter { $0["ok"] == .bool(false) }.map { $0["check"] } == [
          .string("upstream jikan"), .string("upstream pokeapi"), .string("upstream itunes"),
        ])
    }

    @Test("a failed index is shown with its error until one is read, and a server that is down is one problem")
    func failedIndex() async throws {
      try await Mirror.with(HandmadePokeAPI(pokemon: 3)) { mirror, _ in
        let down = try await SimulatorServer.withServer(HandmadeList(items: []).upstream) { $0.baseURL }
        let broken = mirror.with(upstream: down)
        _ = try await broken.syncctl("run", "--source", "pokeapi")
        let run = try await mirror.sql("SELECT left(id::text, 8) FROM sync.run")
        let shown = try await broken.succeed("status")
        let status = shown.standardOutput
        try await broken.follow(shown, ["runs show \(run)": 0])
        #expect(
          status.hasPrefix("1 of 1 stream needs attention\n✗ pokeapi/index  failed: \(down): cannot connect"),
          "\(status)")
        #expect(status.contains("→ syncctl runs show \(run)"), "\(status)")
        let rows = try await broken.rows("status", "--failed")
        #expect(rows.map { $0["stream"] } == [.string("index")] && rows.first?["state"] == .string("failed"), "\(rows)")
        let alone = try await broken.succeed([]).standardOutput
        #expect(alone.contains("pokeapi/index: failed: ") && alone.contains("syncctl runs show \(run)"), "\(alone)")
        let doctor = try await broken.syncctl("doctor").standardOutput
        #expect(doctor.hasPrefix("1 problem\n✗ upstream jikan  \(down): cannot connect"), "\(doctor)")
        #expect(doctor.contains("(also pokeapi/index, upstream pokeapi, upstream itunes)"), "\(doctor)")

        try await mirror.succeed("run", "--source", "pokeapi")
        #expect(try await mirror.succeed("status").standardOutput.hasPrefix("5 streams, none failed"))
        #expect(try await mirror.syncctl("doctor", "--all").standardOutput.contains("5 streams, none failed"))
      }
    }

    @Test func doctorSaysFirstWhatIsWrong() async throws {
      let mirror = try await Mirror.make()
      let result = try await mirror.with(["SYNCCTL_DATABASE_URL": "postgresql:///x?host=/nowhere"])
        .syncctl("doctor", "--format", "json")
      #expect(result.end == .exit(74))
      let checks = try #require(try JSONValue(result.standardOutput).array)
      #expect(checks.first?["check"]?.text == "connection" && checks.first?["ok"] == .bool(false))
      // Without the mirror, doctor cannot take a permit, so it sends no request to the upstreams.
      let upstreams = checks.filter { $0["check"]?.text?.hasPrefix("upstream ") == true }
      #expect(upstreams.count == 3)
      for check in upstreams { #expect(check["finding"]?.text?.hasPrefix("not checked: ") == true) }
    }

    @Test func doctorTakesItsPermitFromTheBudget() async throws {
      try await Mirror.with(GeneratedJikan.plain(50)) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_RATE_LIMITS": "1/1h"])
        func asked() -> Int { server.history.records.count { $0.path.hasSuffix("/top/anime") } }
        let first = try await mirror.syncctl("doctor", "--format", "json")
        #expect(first.standardOutput.contains("claims 50 anime") && asked() == 1, "\(first.standardOutput)")
        let second = try await mirror.syncctl("doctor", "--format", "json")
        #expect(second.standardOutput.contains("not checked: "), "\(second.standardOutput)")
        #expect(asked() == 1)
      }
    }

    @Test func nothingIsRequestedOfAServiceThatDemandsAPause() async throws {
      try await Mirror.with(GeneratedJikan.plain(50)) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_JIKAN_RATE_LIMITS": "1000/1h"])
        try await mirror.succeed("run", "--stream", "top-anime")
        _ = try await mirror.sql(
          """
          SELECT sync.pause_origin('\(server.baseURL)', 2000000000);
          UPDATE sync.stream_state SET last_complete_at = now() - interval '2 days';
          """)
        let before = server.history.count
        let doctor = try await mirror.syncctl("doctor", "--format", "json")
        let checks = try #require(try JSONValue(doctor.standardOutput).array)
        let upstreams = checks.filter { $0["check"]?.text?.hasPrefix("upstream ") == true }
        #expect(upstreams.count == 3 && upstreams.allSatisfy { $0["ok"] == .bool(false) }, "\(upstreams)")
        #expect(doctor.end == .exit(75) && doctor.standardOutput.contains("paused: throttled until"))
        let health = try await mirror.syncctl("health", "--stream", "top-anime", "--format", "json")
        let judged = try #require(try JSONValue(health.standardOutput).array?.first)
        #expect(judged["state"] == .string("paused") && judged["fresh"] == .bool(false), "\(judged)")
        let limits = try #require(try await mirror.rows("limits").first)
        #expect(limits["source"] == .string("jikan") && limits["requests"]?.int == 1000 && limits["used"]?.int ?? 0 > 1)
        #expect(limits["paused_until"]?.text != nil && server.history.count == before)

        let table = try await mirror.succeed("limits")
        #expect(table.standardError.contains("→ syncctl limits resume jikan\n"), "\(table.standardError)")
        let ended = try #require(
          try await mirror.follow(
            table, ["limits resume jikan": 0, "limits resume pokeapi": 0, "limits resume itunes": 0]
          ).first)
        #expect(ended.standardError.contains("jikan: the pause has ended"), "\(ended.standardError)")
        let again = try await mirror.succeed("limits", "resume", "jikan")
        #expect(again.standardError.contains("jikan: was not paused"), "\(again.standardError)")
        _ = try await mirror.syncctl("doctor")
        #expect(server.history.count > before)
      }
    }

    #if os(Linux)
      @Test func psqlGetsItsArgumentsAndItsSignals() async throws {
        let mirror = try await Mirror.make()
        let answer = try await mirror.syncctl("db", "psql", "-XAtc", "SELECT 2 + 3")
        #expect(answer.end == .exit(0) && answer.standardOutput == "5\n", "\(answer.standardError)")
        // psql blocks all signals while it starts the command, so the loop waits until psql has unblocked them.
        let look = """
          \\! i=0; while grep -q 'SigBlk:.ffff' /proc/$PPID/status && [ $i -lt 2000 ]; do i=$((i + 1)); done; \
          grep SigBlk /proc/$PPID/status
          """
        let blocked = try await mirror.syncctl("db", "psql", "-Xc", look)
        let mask = try #require(blocked.standardOutput.split { $0.isWhitespace }.last.flatMap { UInt64($0, radix: 16) })
        // While psql waits for the command, system(3) blocks SIGCHLD.
        #expect(mask & ~(1 << (UInt64(SIGCHLD) - 1)) == 0, "\(blocked.standardOutput)")
      }
    #endif
  }
}
