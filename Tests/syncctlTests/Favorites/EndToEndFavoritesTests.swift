import ArgumentParser
import Foundation
import PostgresTestKit
import SyncTestKit
import Synchronization
import Testing
import UpstreamSimulator

@testable import SyncProgram

extension EndToEnd {
  @Suite struct FavoriteLists {
    private static func export(_ ids: ClosedRange<Int>, episodes: Int = 5, score: Int = 8) -> String {
      let entries = ids.reversed().map { id in
        """
        <anime>
          <series_animedb_id>\(id)</series_animedb_id>
          <series_title><![CDATA[Title \(id) & more]]></series_title>
          <my_watched_episodes>\(episodes)</my_watched_episodes>
          <my_start_date>2020-04-00</my_start_date>
          <my_finish_date>0000-00-00</my_finish_date>
          <my_score>\(score)</my_score>
          <my_status>\(id % 2 == 0 ? "Watching" : "Plan to Watch")</my_status>
          <my_comments><![CDATA[\(id % 10 == 0 ? "theirs" : "")]]></my_comments>
          <my_tags><![CDATA[a, b]]></my_tags>
        </anime>
        """
      }
      return """
        <?xml version="1.0" encoding="UTF-8" ?>
        <myanimelist><myinfo><user_export_type>1</user_export_type></myinfo>
        \(entries.joined(separator: "\n"))
        </myanimelist>
        """
    }

    private static func rows(_ result: ProgramResult) throws -> [JSONValue] {
      #expect(result.end == .exit(0), "\(result.standardError)")
      return try #require(try JSONValue(result.standardOutput).array)
    }

    @Test("a list of 300 is imported twice as once, updated by a later one, and filled in by a run")
    func myAnimeList() async throws {
      let list = Mutex(try HandmadeList.numbered(1...150))
      let upstream = ScriptedUpstream { request in list.withLock { $0 }.answer(request) }
      try await Mirror.with(upstream) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        let owner = mirror.asOwner
        let file = try mirror.home.write(Self.export(1...300), to: "animelist.xml")
        let packed = try await mirror.shell("gzip -k animelist.xml")
        #expect(packed.end == .exit(0), "\(packed.standardError)")

        let first = try await owner.syncctl("favorites", "import", file + ".gz")
        #expect(first.standardOutput == "300 added, 0 already there, 0 not read\n", "\(first.standardError)")
        #expect(first.standardError.contains("not mirrored yet: 150;"), "\(first.standardError)")
        let stored = "SELECT string_agg(f::text, ';' ORDER BY id) FROM app.favorite f"
        let once = try await mirror.sql(stored)
        for command in ["import animelist.xml", "import - < animelist.xml.gz"] {
          let again = try await owner.shell("\"$0\" favorites \(command)")
          #expect(again.standardOutput == "0 added, 300 already there, 0 not read\n", "\(again.standardError)")
        }
        #expect(try await mirror.sql(stored) == once)
        _ = try await mirror.sql("UPDATE app.favorite SET note = 'mine' WHERE id = 10")
        _ = try mirror.home.write(Self.export(1...300, episodes: 6, score: 9), to: "later.xml")
        let later = try await owner.syncctl("favorites", "import", mirror.home.path + "/later.xml")
        #expect(later.standardOutput == "0 added, 300 updated, 0 already there, 0 not read\n")
        let watching = try Self.rows(
          try await owner.syncctl("favorites", "list", "--status", "watching", "--format", "json"))
        #expect(watching.count == 150)
        let ten = try #require(watching.first { $0["id"]?.int == 10 })
        #expect(ten["note"] == .string("mine") && ten["my_score"]?.int == 9 && ten["episodes_watched"]?.int == 6)
        #expect(ten["title"] == .string("Title 10") && ten["state"] == .string("mirrored"))
        #expect(ten["started_on"] == .string("2020-04") && ten["tags"] == .string("a, b"))
        let twenty = try #require(watching.first { $0["id"]?.int == 20 })
        #expect(twenty["note"] == .string("theirs"))
        let missing = try #require(watching.first { $0["id"]?.int == 200 })
        #expect(missing["title"] == .null && missing["state"] == .string("missing"))

        try list.withLock { $0 = try HandmadeList.numbered(1...300) }
        #expect(try await mirror.syncctl("run", "--stream", "top-anime", "--full").end == .exit(0))
        let all = try Self.rows(try await owner.syncctl("favorites", "list", "--format", "json"))
        #expect(all.map { $0["id"]?.int } == (1...300).reversed())
        #expect(all.allSatisfy { $0["state"] == .string("mirrored") })
        let changes = try Self.rows(
          try await owner.syncctl(
            "favorites", "changes", "--since", "1d", "--collection", "myanimelist", "--format", "json"))
        #expect(changes.count { $0["what"] == .string("mirrored") } == 300)
        let before = try await mirror.sql(stored)
        for format in ["ndjson", "json", "csv"] {
          let exported = try await owner.shell("\"$0\" favorites export --format \(format) > copy")
          #expect(exported.end == .exit(0), "\(exported.standardError)")
          _ = try await mirror.sql("TRUNCATE app.favorite")
          let imported = try await owner.syncctl("favorites", "import", mirror.home.path + "/copy")
          #expect(imported.standardOutput == "300 added, 0 already there, 0 not read\n", "\(imported.standardError)")
          #expect(try await mirror.sql(stored) == before, "\(format)")
        }
      }
    }

    @Test("bad entries are named, and the others imported; a file that is damaged is not")
    func badEntries() async throws {
      let owner = try await Mirror.make().asOwner
      let text = Self.export(1...3).replacing(">2</series_animedb_id>", with: ">0</series_animedb_id>")
        .replacing("<my_score>8", with: "<my_score>99", maxReplacements: 1)
      let file = try owner.home.write(text, to: "list.xml")
      let result = try await owner.syncctl("favorites", "import", file, "--collection", "anime")
      #expect(result.end == .exit(1) && result.standardOutput == "2 added, 0 already there, 1 not read\n")
      #expect(result.standardError.contains("anime entry 2 (Title 2 & more): it has no id"))
      #expect(result.standardError.contains("anime entry 1 (Title 3 & more): kept without my_score 99"))
      let scores = try await owner.sql(
        "SELECT string_agg(id || ' ' || coalesce(my_score, 0), ',' ORDER BY id) FROM app.favorite")
      #expect(scores == "1 8,3 0")
      let strange = (Self.export(7...7, score: 5) + Self.export(7...8)).replacing("<![CDATA[Title", with: "R&D")
        .replacing(" & more]]>", with: "").replacing("Watching", with: "Plan to Read")
      let body = strange.replacing(/<\?xml.*?\?>|<\/?myanimelist>|<myinfo>.*?<\/myinfo>/, with: "")
      let twice = try owner.home.write("<myanimelist>\(body)</myanimelist>", to: "twice.xml")
      let read = try await owner.syncctl("favorites", "import", twice, "--collection", "twice")
      #expect(read.end == .exit(0) && read.standardOutput == "2 added, 0 already there, 0 not read\n")
      #expect(read.standardError.contains("listed again: 1; the last entry with the same id is used"))
      let planned = try Self.rows(
        try await owner.syncctl(
          "favorites", "list", "--collection", "twice", "--status", "plan-to-watch", "--format", "json"))
      #expect(planned.map { $0["my_score"]?.int } == [8, 8])
      _ = try await owner.sql("DELETE FROM app.favorite WHERE collection = 'twice'")

      let cut = try owner.home.write(String(Self.export(1...300).dropLast(500)), to: "cut.xml")
      try await owner.syncctl("favorites", "import", cut).expectFailure(64, naming: "XML cannot be read")
      let bomb = try await owner.shell("head -c 100000000 /dev/zero | gzip > bomb && \"$0\" favorites import bomb")
      #expect(bomb.end == .exit(64) && bomb.standardError.contains("decompressed"), "\(bomb.standardError)")
      #expect(try await owner.sql("SELECT count(*) FROM app.favorite") == "2")
    }

    @Test("a collection that no favorite has is named with those that there are")
    func unknownCollection() async throws {
      let owner = try await Mirror.make().asOwner
      let empty = try await owner.syncctl("favorites", "list", "--collection", "nope")
      #expect(empty.end == .exit(0) && empty.standardError.contains("No favorites yet"), "\(empty.standardError)")
      _ = try await owner.sql(
        "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('favorites', 'jikan', 'anime', 1)")
      for command in [["list"], ["export"], ["changes", "--since", "7d"]] {
        let result = try await owner.syncctl(["favorites"] + command + ["--collection", "favorits"])
        #expect(result.end == .exit(1) && result.standardOutput == "", "\(command)")
        #expect(result.standardError.contains("there is no collection favorits"), "\(result.standardError)")
        #expect(result.standardError.contains("did you mean favorites? collections: favorites"))
      }
      try await owner.syncctl("favorites", "list", "--status", "wachting").expectFailure(64, naming: "watching")
    }

    @Test("titles are in exports, and a title that a spreadsheet would run is harmless")
    func titles() async throws {
      let item = try HandmadeList.item(1, title: "=1+1", extra: #", "url": "https://a.example/1""#)
      let list = HandmadeList(items: [item])
      try await Mirror.with(list.upstream) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        let owner = mirror.asOwner
        #expect(try await owner.syncctl("favorites", "add", "jikan", "anime", "1", "--note", "=2+2").end == .exit(0))
        let lines = try await owner.syncctl("favorites", "export")
        let row = try JSONValue(lines.standardOutput)
        #expect(row["title"] == .string("=1+1") && row["url"] == .string("https://a.example/1"))
        let table = try await owner.syncctl("favorites", "export", "--format", "csv")
        #expect(table.standardOutput.contains(",=2+2,") && table.standardOutput.contains(",'=1+1,"))
      }
    }

    @Test(arguments: [60, 80, 120])
    func whatWasRemovedIsVisible(width: Int) async throws {
      try await Mirror.with(try HandmadeList.numbered(1...3).upstream) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        let owner = mirror.asOwner
        let file = try mirror.home.write(Self.export(1...4), to: "list.xml")
        #expect(try await owner.syncctl("favorites", "import", file).end == .exit(0))
        _ = try await mirror.sql("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 2")
        let configuration = try mirror.home.write("database: { url: \"\(mirror.database.url)\" }\n", to: "c.yaml")
        let command = try #require(
          try Syncctl.parseAsRoot(["favorites", "list", "--config", configuration]) as? any ListingCommand)
        let text = try await command.listing().text(as: .table, RenderingOptions(width: width))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 5 && lines.allSatisfy { TerminalText.displayWidth(String($0)) <= width }, "\(text)")
        #expect(lines[3].contains("Title 2") && lines[3].contains("removed upstream"), "\(text)")
        #expect(lines[1].contains("not mirrored yet"), "\(text)")
      }
    }
  }
}
