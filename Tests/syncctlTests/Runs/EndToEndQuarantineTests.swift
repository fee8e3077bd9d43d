import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Quarantine {
    private func badList() throws -> HandmadeList {
      var list = try HandmadeList.numbered(1...30)
      list.items[4] = #"{"mal_id": 5, "title": "Title 5\u001b[31m\u202e", "x": 1e999999}"#
      list.items[5] = #"{"mal_id": 6, "title": "Title 6", "score": "high\u001b[31m\u202e"}"#
      list.items[9] = #"{"title": "no id,\u0007 \"quoted\""}"#
      list.items[11] = #"{"mal_id": 12, "title": "Title 12", "score": 1e400}"#
      list.items[12] = #"{"mal_id": 13, "title": "Title 13", "score": 8.5.1}"#
      list.items[20] = #"{"mal_id": 21, "title": "Title\u0000", "deep": [{"a": "\ud800"}]}"#
      list.items[21] = #"{"mal_id": 22, "title": "first", "title": "last"}"#
      return list
    }

    @Test func quarantineOfARunIsListed() async throws {
      let list = Changing(try badList())
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        let result = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        let run = try #require(try mirror.runs(result)["top-anime"])
        try run.expect(["rows_seen": 30, "inserted": 27, "quarantined": 3, "repaired": 2])
        #expect(try await mirror.sql("SELECT count(*) FROM sync.quarantine WHERE raw ~ '[\\x01-\\x1f]'") == "0")
        let id = try #require(run["id"]?.text)
        let short = String(id.prefix(8))
        #expect(result.standardError.contains("3 items are in quarantine: syncctl runs show \(short) --quarantine"))
        try await mirror.follow(result, ["runs show \(short) --quarantine": 0])
        #expect(result.standardError.contains("2 items contained characters that cannot be stored"))
        let told = "2 members were not understood, and their columns are null: score (2, e.g. "
        #expect(result.standardError.contains(told), "\(result.standardError)")
        #expect(run["not_understood"]?["score"]?["count"]?.int == 2)
        #expect(try await mirror.sql("SELECT count(*), count(score) FROM jikan.anime") == "27|23")

        let items = try await mirror.rows("runs", "show", short, "--quarantine")
        #expect(items.map { $0["reason"]?.text } == ["no_id", "number_range", "syntax"])
        #expect(items.last?["item"]?.text?.hasPrefix("sha256:") == true)
        #expect(items.last?["count"]?.int == 1)
        #expect(items.last?["excerpt"]?.text?.contains("\"mal_id\": 13") == true)
        #expect(items.last?["first_at"]?.text?.hasSuffix("Z") == true)
        #expect(items.last?["last_at"] == items.last?["first_at"])
        for format in ["table", "csv", "ndjson"] {
          let text = try await mirror.syncctl("runs", "show", short, "--quarantine", "--format", format)
          #expect(text.end == .exit(0) && text.standardError.isEmpty, "\(text.standardError)")
          #expect(text.standardOutput.contains("number_range"))
          let hostile = text.standardOutput.unicodeScalars.contains {
            ($0.value < 0x20 && $0 != "\n" && $0 != "\r") || $0.value == 0x202E || $0.value == 0x7F
          }
          #expect(!hostile, "\(format): \(text.standardOutput)")
        }
        let shown = try await mirror.syncctl("runs", "show", "--format", "json")
        #expect(try JSONValue(shown.standardOutput).array?.first?["repaired"]?.int == 2)
        #expect(try JSONValue(shown.standardOutput).array?.first?["not_understood"]?["score"]?["count"]?.int == 2)
        let words = try await mirror.syncctl("runs", "show")
        #expect(words.end == .exit(0) && words.standardOutput.contains("not understood"))
        let hostile = (words.standardOutput + result.standardError).unicodeScalars.contains {
          ($0.value < 0x20 && $0 != "\n") || $0.value == 0x202E
        }
        #expect(!hostile)
      }
    }

    @Test func aListOfUnusableItemsIsNoList() async throws {
      let list = Changing(try HandmadeList.numbered(1...30))
      let upstream = ScriptedUpstream { $0.path == "/beat" ? .json("{}") : list.value.answer($0) }
      try await Mirror.with(upstream) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_HEARTBEAT_URL": server.baseURL + "/beat"])
        func beats() -> Int { server.history.records.count { $0.path == "/beat" } }
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        let state = "SELECT run_id, whole_at FROM sync.publication, sync.stream_freshness"
        let before = try await mirror.sql(state)
        // A run fails as soon as more than half of the 30 claimed items are bad. Page 1 has 25 items.
        for (bad, met, isRefused) in [(30, 25, true), (16, 16, true), (15, 15, false)] {
          let beatsBefore = beats()
          for place in 0..<30 {
            let item = try HandmadeList.item(place + 1, title: "x")
            list.value.items[place] = place < bad ? #"{"title": "no id"}"# : item
          }
          let result = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json")
          #expect(result.end == .exit(isRefused ? 86 : 0), "\(bad): \(result.standardError)")
          #expect(beats() - beatsBefore == (isRefused ? 0 : 1))
          #expect((try await mirror.sql(state) == before) == isRefused)
          #expect(try mirror.runs(result)["top-anime"]?["quarantined"]?.int == met)
          let status = try #require(try await mirror.rows("status").first)
          #expect(status["state"] == (isRefused ? JSONValue.string("held") : .null), "\(status)")
          #expect(status["action"]?.text?.hasSuffix("--quarantine") == (isRefused ? true : nil), "\(status)")
          #expect(result.standardError.contains(isRefused ? "\(met) of 25 items" : "15 items are in quarantine"))
        }
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "30")
        #expect(try await mirror.rows("status").first?["quarantined"]?.int == 15)
        #expect(try await mirror.syncctl("status", "--all").standardOutput.contains("quarantined"))
      }
    }

    /// One bad result of a short search does not fail the run. The run fails if all results of all searches are bad.
    @Test func searchesAreJudgedTogether() async throws {
      let fresh = try await Mirror.make()
      let bad = Changing<Set<String>>([])
      let counts = ["many": 30, "few": 1]
      let upstream = ScriptedUpstream { request in
        guard let (term, count) = counts.first(where: { request.query.contains("term=\($0.key)") }) else {
          return .json("{}", status: 404)
        }
        let records = (1...count).map { number in
          bad.value.contains(term) ? #"{"wrapperType":"track"}"# : #"{"wrapperType":"track","trackId":\#(number)}"#
        }
        return .json(#"{"resultCount":\#(count),"results":[\#(records.joined(separator: ","))]}"#)
      }
      _ = try fresh.home.write(
        "sources: { itunes: { searches: [{ name: few, term: few }, { name: many, term: many }] } }", to: "syncctl.yaml")
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        let state = """
          SELECT list, run_id, (SELECT count(*) FROM itunes.search_result r WHERE 'search:' || r.search = list)
          FROM sync.publication ORDER BY list
          """
        func run() async throws -> ProgramResult {
          try await mirror.syncctl("run", "--source", "itunes", "--format", "json")
        }
        #expect(try await run().end == .exit(0))
        bad.value = ["few"]
        let one = try await run()
        #expect(one.end == .exit(0) && one.standardError.contains("1 item is in quarantine"), "\(one.standardError)")
        let before = try await mirror.sql(state)
        #expect(before.contains("search:few") && before.hasSuffix("|30"), "\(before)")
        bad.value = ["few", "many"]
        let all = try await run()
        #expect(all.end == .exit(86), "\(all.standardError)")
        #expect(all.standardError.contains("31 of 31 items of this run"), "\(all.standardError)")
        #expect(try await mirror.sql(state) == before)
        #expect(try mirror.runs(all).values.allSatisfy { $0["status"] == .string("failed") })
      }
    }

    @Test func runsInBetweenAndRunsWithoutBadItems() async throws {
      let list = Changing(try badList())
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        var ids: [String] = []
        for round in 0..<4 {
          if round == 3 { list.value = try HandmadeList.numbered(1...30) }
          let result = try await mirror.succeed("run", "--stream", "top-anime", "--full", "--format", "json")
          ids.append(try #require(try mirror.runs(result)["top-anime"]?["id"]?.text))
        }
        let items = try await mirror.rows("runs", "show", ids[1], "--quarantine")
        #expect(items.count == 3)
        #expect(items.allSatisfy { $0["count"]?.int == 3 })
        let last = try await mirror.syncctl("runs", "show", "--quarantine")
        #expect(last.end == .exit(0) && last.standardOutput.isEmpty)
        #expect(last.standardError == "The run could use all items.\n")
        #expect(try await mirror.rows("runs", "show", ids[3], "--quarantine").isEmpty)
        let unknown = try await mirror.syncctl("runs", "show", "zzzz", "--quarantine")
        unknown.expectFailure(1, naming: "zzzz")
      }
    }
  }
}
