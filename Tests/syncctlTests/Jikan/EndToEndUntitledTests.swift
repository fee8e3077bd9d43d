import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Untitled {
    @Test("an entry without a title is shown by its id; one without a document by its id and the reason")
    func shown() async throws {
      var list = try HandmadeList.numbered(1...30)
      list.items[5] = try HandmadeList.item(6, title: "5 Centimeters per Second")
      list.items[6] = #"{"mal_id": 7, "title": [], "title_synonyms": ["Nameless One"], "type": "TV", "members": 1007}"#
      let served = Changing(list)
      try await Mirror.with(ScriptedUpstream { served.value.answer($0) }) { mirror, _ in
        _ = try await mirror.sql("ALTER TABLE jikan.media ADD CONSTRAINT unlucky CHECK (mal_id <> 5)")
        let run = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        #expect(try mirror.runs(run)["top-anime"]?["quarantined"]?.int == 1)
        #expect(run.standardError.contains("1 member was not understood, and its column is null: title (1, e.g. [])"))

        let rows = try await mirror.rows("rankings", "jikan")
        #expect(rows[4]["mal_id"]?.int == 5 && rows[4]["title"] == .null)
        #expect(rows[4]["not_mirrored"]?.text?.hasPrefix("in quarantine since 2") == true)
        #expect(rows[4]["not_mirrored"]?.text?.contains("unlucky") == true)
        #expect(rows[6]["mal_id"]?.int == 7 && rows[6]["title"] == .null && rows[6]["not_mirrored"] == .null)
        let table = try await mirror.syncctl("rankings", "jikan")
        #expect(table.standardOutput.contains("in quarantine since"), "\(table.standardOutput)")
        let others = try await mirror.syncctl("rankings", "jikan", "--after", "7", "--limit", "5")
        #expect(!others.standardOutput.contains("mirrored"), "\(others.standardOutput)")
        #expect(
          try await mirror.rows("rankings", "jikan", "--as-of", "1d")[4]["not_mirrored"]?.text?.contains("unlucky")
            == true)

        let missing = try await mirror.syncctl("anime", "show", "5")
        missing.expectFailure(1, naming: "anime 5 is not mirrored: in quarantine since ")
        let unknown = try await mirror.syncctl("anime", "show", "999")
        unknown.expectFailure(1, naming: "the mirror has no anime 999")

        let untitled = try await mirror.syncctl("anime", "show", "7")
        #expect(untitled.standardOutput.hasPrefix("anime 7\n"), "\(untitled.standardOutput)")
        #expect(try await mirror.rows("anime", "search", "nameless", "one").first?["match"]?.text == "Nameless One")
        let added = try await mirror.syncctl("favorites", "add", "jikan", "anime", "7")
        #expect(added.end == .exit(0) && added.standardOutput.contains("anime 7"), "\(added.standardError)")
        let verified = try await mirror.syncctl("verify")
        #expect(verified.end == .exit(0), "\(verified.standardOutput) \(verified.standardError)")

        served.value.items.swapAt(4, 29)
        _ = try await mirror.syncctl("run", "--stream", "top-anime")
        _ = try await mirror.sql(
          """
          INSERT INTO jikan.ranking
          SELECT (jsonb_populate_record(r, '{"filter": "schedule:monday"}')).* FROM jikan.ranking r WHERE mal_id = 5
          """)
        for command in [["rankings", "movers", "--since", "1h"], ["airing"]] {
          let listed = try await mirror.succeed(command + ["--format", "json"])
          let entry = try JSONValue(listed.standardOutput).array?.first { $0["mal_id"]?.int == 5 }
          #expect(entry?["not_mirrored"]?.text?.contains("unlucky") == true, "\(listed.standardOutput)")
        }
      }
    }

    @Test("an upstream that renames a member stops the run with 86, and nothing is overwritten")
    func renamed() async throws {
      let list = Changing(try HandmadeList.numbered(1...60))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        let sum = "SELECT count(title), sum(members), max(changed_at) FROM jikan.anime"
        let before = try await mirror.sql(sum)
        list.value.items = list.value.items.map { $0.replacing(#""title": "#, with: #""name": "#) }
        let dry = try await mirror.syncctl("run", "--stream", "top-anime", "--dry-run")
        dry.expectFailure(86, naming: "25 of 25 items lack title", isQuiet: false)
        let stopped = try await mirror.syncctl("run", "--stream", "top-anime")
        stopped.expectFailure(
          86, naming: "25 of 25 items lack title", "for a newer syncctl", "syncctl confirm ", isQuiet: false)
        #expect(try await mirror.sql(sum) == before)
        let id = try await mirror.sql("SELECT id FROM sync.run ORDER BY started_at DESC LIMIT 1")
        try await mirror.succeed("run", "--stream", "top-anime", "--confirm-vanish", id)
        #expect(try await mirror.sql("SELECT count(title), count(*) FROM jikan.anime") == "0|60")
      }
    }
  }
}
