import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Faulty upstreams, and the resulting mirror.
  @Suite struct Behaviour {
    @Test func retryAfterIsHonoured() async throws {
      let refused = Changing(false)
      let list = try HandmadeList.numbered(1...60)
      let upstream = ScriptedUpstream { request in
        guard request.page == 2, !refused.value else { return list.answer(request) }
        refused.value = true
        return SimulatedAnswer(status: 429, headers: [HeaderField("Retry-After", "1")])
      }
      try await Mirror.with(upstream) { mirror, server in
        let result = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        let run = try #require(try mirror.runs(result)["top-anime"])
        #expect(run["status"] == .string("complete"))
        #expect(run["retries"]?.int == 1)
        let times = server.history.records.filter { $0.query.contains("page=2&") }.map(\.time)
        #expect(times.count == 2)
        let pause = times[1].timeIntervalSince(times[0])
        // The clock of the records is not the one that waits, so the time may be a little less than a second.
        #expect(pause > 0.95)
      }
    }

    @Test func badItemGoesToQuarantineAlone() async throws {
      var list = try HandmadeList.numbered(1...30)
      list.items[4] = #"{"mal_id": 5, "title": "Title 5\u001b[31m", "x": 1e999999}"#
      list.items[9] = #"{"title": "no id"}"#
      list.items[12] = #"{"mal_id": 13, "title": "Title 13", "score": 8.5.1}"#
      try await Mirror.with(list.upstream) { mirror, _ in
        let result = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        #expect(result.standardError.contains("warning: top-anime: 3 items are in quarantine: syncctl runs show "))
        let run = try #require(try mirror.runs(result)["top-anime"])
        #expect(run["quarantined"]?.int == 3)
        #expect(run["rows_seen"]?.int == 30)
        #expect(run["inserted"]?.int == 27)
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.anime WHERE mal_id NOT IN (5, 10, 13)") == "27")
        let rows = try await mirror.sql("SELECT reason FROM sync.quarantine ORDER BY reason")
        #expect(rows == "no_id\nnumber_range\nsyntax")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.quarantine WHERE raw ~ '[\\x01-\\x1f]'") == "0")
      }
    }

    @Test func otherOriginIsRefusedUnlessAdopted() async throws {
      let mirror = try await Mirror.make()
      let list = try HandmadeList.numbered(1...30)
      _ = try await SimulatorServer.withServer(list.upstream) { server in
        try await mirror.with(upstream: server.baseURL).syncctl("run", "--stream", "top-anime")
      }
      try await SimulatorServer.withServer(list.upstream) { server in
        let moved = mirror.with(upstream: server.baseURL)
        let refused = try await moved.syncctl("run", "--stream", "top-anime")
        refused.expectFailure(78, naming: server.baseURL, "--adopt-origin")
        #expect(server.history.count == 0)
        let adopted = try await moved.succeed("run", "--stream", "top-anime", "--adopt-origin", "--format", "json")
        #expect(try moved.runs(adopted)["top-anime"]?["unchanged"]?.int == 30)
      }
    }

    @Test func listThatShrinksTooMuchIsNotPublished() async throws {
      let list = Changing(try HandmadeList.numbered(1...200))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        _ = try await mirror.syncctl("run", "--stream", "top-anime")
        let before = try await mirror.contents()
        list.value = try HandmadeList.numbered(1...20)
        let result = try await mirror.syncctl("run", "--stream", "top-anime")
        result.expectFailure(86, naming: "180 of 200", isQuiet: false)
        #expect(try await mirror.contents() == before)

        // A list that shrinks a little is published.
        list.value = try HandmadeList.numbered(1...180)
        try await mirror.succeed("run", "--stream", "top-anime")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "180")
      }
    }

    @Test func hostileTitlesNeverReachTheTerminal() async throws {
      let hostile = "A\u{1B}[2J\u{9B}31mB\u{202E}C\u{7}\u{8}\r\nD\u{2066}E\u{0}F"
      let list = HandmadeList(items: [try HandmadeList.item(1, title: hostile)])
      try await Mirror.with(list.upstream) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime")
        _ = try await mirror.asOwner.syncctl(
          "favorites", "add", "jikan", "anime", "1", "--note", hostile.replacing("\0", with: ""))
        var outputs: [String] = []
        for arguments in [["rankings", "jikan"], ["favorites", "list"]] {
          outputs.append(
            try await mirror.asOwner.syncctl(arguments).standardOutput)
          guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { continue }
          for format in ["table", "csv", "json", "ndjson"] {
            let command = #"\"$0\" \#(arguments.joined(separator: " ")) --format \#(format)"#
            let line = #"script -qec "\#(command)" /dev/null < /dev/null"#
            outputs.append(try await mirror.asOwner.shell(line).standardOutput)
          }
        }
        for output in outputs {
          #expect(output.contains("A"))
          // The terminal ends its lines with CR LF; the CR LF of the title came before a D.
          let controls = output.unicodeScalars.filter { scalar in
            scalar != "\n" && scalar != "\r" && [.control, .format].contains(scalar.properties.generalCategory)
          }
          #expect(!output.unicodeScalars.split(separator: "\n").contains { $0.first == "D" })
          #expect(controls.isEmpty, "\(output.debugDescription)")
        }
      }
    }
  }
}
