import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// What a user learns about unusable items.
  @Suite struct Quarantine {
    /// Thirty items: three are bad, two are repaired.
    private func badList() throws -> HandmadeList {
      var list = try HandmadeList.numbered(1...30)
      list.items[4] = #"{"mal_id": 5, "title": "Title 5", "score": "high\u001b[31m\u202e"}"#
      list.items[9] = #"{"title": "no id,\u0007 \"quoted\""}"#
      list.items[12] = #"{"mal_id": 13, "title": "Title 13", "score": 1e400}"#
      list.items[20] = #"{"mal_id": 21, "title": "Title\u0000", "deep": [{"a": "\ud800"}]}"#
      list.items[21] = #"{"mal_id": 22, "title": "first", "title": "last"}"#
      return list
    }

    @Test func quarantineOfARunIsListed() async throws {
      let fresh = try await Mirror.make()
      let list = Changing(try badList())
      try await SimulatorServer.withServer(ScriptedUpstream { list.value.answer($0) }) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        let result = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json")
        #expect(result.end == .exit(0), "\(result.standardError)")
        let run = try #require(try mirror.runs(result)["top-anime"])
        #expect(run["quarantined"]?.int == 3)
        #expect(run["repaired"]?.int == 2)
        let id = try #require(run["id"]?.text)
        let short = String(id.prefix(8))
        #expect(result.standardError.contains("3 items are in quarantine: syncctl runs show \(short) --quarantine"))
        #expect(result.standardError.contains("2 items contained characters that cannot be stored"))

        let listed = try await mirror.syncctl("runs", "show", short, "--quarantine", "--format", "json")
        #expect(listed.end == .exit(0), "\(listed.standardError)")
        let items = try #require(try JSONValue(listed.standardOutput).array)
        #expect(items.map { $0["reason"]?.text } == ["no_id", "out_of_range", "wrong_type"])
        #expect(items.last?["item"]?.text == "5")
        #expect(items.last?["detail"]?.text?.hasPrefix("score: ") == true)
        #expect(items.last?["count"]?.int == 1)
        #expect(items.last?["excerpt"]?.text?.contains("\"mal_id\":5") == true)
        #expect(items.last?["first_at"]?.text?.hasSuffix("Z") == true)
        #expect(items.last?["last_at"] == items.last?["first_at"])
        for format in ["table", "csv", "ndjson"] {
          let text = try await mirror.syncctl("runs", "show", short, "--quarantine", "--format", format)
          #expect(text.end == .exit(0) && text.standardError.isEmpty, "\(text.standardError)")
          #expect(text.standardOutput.contains("out_of_range"))
          let hostile = text.standardOutput.unicodeScalars.contains {
            ($0.value < 0x20 && $0 != "\n" && $0 != "\r") || $0.value == 0x202E || $0.value == 0x7F
          }
          #expect(!hostile, "\(format): \(text.standardOutput)")
        }
        let shown = try await mirror.syncctl("runs", "show", "--format", "json")
        #expect(try JSONValue(shown.standardOutput).array?.first?["repaired"]?.int == 2)
      }
    }

    @Test func runsInBetweenAndRunsWithoutBadItems() async throws {
      let fresh = try await Mirror.make()
      let list = Changing(try badList())
      try await SimulatorServer.withServer(ScriptedUpstream { list.value.answer($0) }) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        var ids: [String] = []
        for round in 0..<4 {
          if round == 3 { list.value = try HandmadeList.numbered(1...30) }
          let result = try await mirror.syncctl("run", "--stream", "top-anime", "--full", "--format", "json")
          #expect(result.end == .exit(0), "\(result.standardError)")
          ids.append(try #require(try mirror.runs(result)["top-anime"]?["id"]?.text))
        }
        // Neither the first run that met them nor the last.
        let middle = try await mirror.syncctl("runs", "show", ids[1], "--quarantine", "--format", "json")
        let items = try #require(try JSONValue(middle.standardOutput).array)
        #expect(items.count == 3)
        #expect(items.allSatisfy { $0["count"]?.int == 3 })
        let last = try await mirror.syncctl("runs", "show", "--quarantine")
        #expect(last.end == .exit(0) && last.standardOutput.isEmpty)
        #expect(last.standardError == "The run met no item that it could not use.\n")
        let none = try await mirror.syncctl("runs", "show", ids[3], "--quarantine", "--format", "json")
        #expect(try JSONValue(none.standardOutput).array?.isEmpty == true)
        let unknown = try await mirror.syncctl("runs", "show", "zzzz", "--quarantine")
        unknown.expectFailure(1, naming: "zzzz")
      }
    }
  }
}
