import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import PokeAPISource

extension EndToEnd {
  @Suite struct Verify {
    /// Each edit changes a row of a different item. `verify` must report the table and the column of the edit.
    private static let edits: [(sql: String, table: String, column: String?)] = [
      ("UPDATE jikan.media SET title = 'x'", "jikan.media", "title"),
      ("UPDATE jikan.media SET year = 7", "jikan.media", "year"),
      ("UPDATE jikan.media SET raw = raw || '{\"a\": 1}'", "jikan.media", "content_hash"),
      ("UPDATE jikan.media SET raw = '{\"episodes\": \"many\"}'", "jikan.media", "content_hash"),
      ("UPDATE jikan.media SET raw = '7'", "jikan.media", "content_hash"),
      (
        "UPDATE jikan.media SET content_hash = set_byte(content_hash, 5, 255 - get_byte(content_hash, 5))",
        "jikan.media", "content_hash"
      ),
      (
        "UPDATE jikan.media SET raw = raw || '{\"title\": \"x\"}', content_hash = set_byte(content_hash, 32, 1)",
        "jikan.media", "content_hash"
      ),
      ("UPDATE jikan.media_counters SET members = members + 1", "jikan.media_counters", "counter_hash"),
      ("DELETE FROM jikan.media_counters", "jikan.media_counters", nil),
      ("UPDATE jikan.media_links SET names[1] = 'x'", "jikan.media_links", "names"),
      ("DELETE FROM jikan.media_title", "jikan.media_title", nil),
      ("DELETE FROM jikan.media_links", "jikan.media_links", nil),
      (deletion, "jikan.media", nil),
      ("UPDATE jikan.ranking SET position = 7000", "jikan.ranking", "position"),
      ("DELETE FROM jikan.ranking", "jikan.ranking", nil),
      // In a session with this setting, the triggers of the lists do not run.
      ("SET session_replication_role = replica; UPDATE jikan.ranking SET position = 8000", "jikan.ranking", "position"),
      (
        "UPDATE jikan.media_links SET facets = facets || '{themes}', linked_ids = linked_ids || '{999}', "
          + "names = names || '{x}'", "jikan.media_links", "names"
      ),
    ]

    private static let deletion = "DELETE FROM jikan.media"

    private static let stranger = 77_777_777

    private static func edit(_ mirror: Mirror) async throws {
      for (edit, id) in zip(edits, try await ids(mirror)) {
        _ = try await mirror.sql("\(edit.sql) WHERE mal_id = \(id)")
      }
      _ = try await mirror.sql("INSERT INTO jikan.ranking VALUES ('anime', 'all', 'none', \(stranger), 1234)")
    }

    @Test("each edit is named, and repaired by --repair and one run, which requests no more than it must")
    func editsAreFoundAndRepaired() async throws {
      try await Self.withMirror { mirror, _ in
        let before = try await mirror.contents()
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
        let ids = try await Self.ids(mirror)
        try await Self.edit(mirror)

        let found = try await Self.differences(mirror, exit: 1)
        let named = Self.edits.map { ($0.table, $0.column) } + [("jikan.ranking", nil)]
        for ((table, column), id) in zip(named, ids.prefix(Self.edits.count) + [Self.stranger]) {
          let isNamed = found.contains { difference in
            difference["table"]?.text == table && difference["column"]?.text == column
              && difference["key"]?["mal_id"]?.int == id
          }
          #expect(isNamed, "\(table) \(id)")
        }
        let deleted = try #require(Self.edits.firstIndex { $0.sql == Self.deletion })
        let others = found.count { $0["key"]?["mal_id"]?.int != ids[deleted] }
        // `others` omits the deleted item. The stranger adds one difference; the edit of three columns adds two.
        #expect(others == Self.edits.count - 1 + 1 + 2, "\(found)")

        let repair = try await mirror.asOwner.syncctl("verify", "--source", "jikan", "--repair")
        #expect(repair.end == .exit(1), "\(repair.standardError)")
        #expect(repair.standardError.contains("documents derived again: 6, noted for the next run: 8"))
        try await mirror.onlyRun().expect(["inserted": 1, "updated": 7])
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
        #expect(try await mirror.contents() == before)

        // Wrong counters do not enter the document of an item whose titles are derived again.
        _ = try await mirror.sql(
          """
          UPDATE jikan.media_counters SET members = members + 1 WHERE mal_id = \(ids[0]);
          DELETE FROM jikan.media_title WHERE mal_id = \(ids[0])
          """)
        _ = try await mirror.asOwner.syncctl("verify", "--source", "jikan", "--repair")
        try await mirror.onlyRun().expect(["updated": 1])
        #expect(try await mirror.contents() == before)
      }
    }

    @Test("a first walk that is unfinished begins again after --repair, and leaves nothing that is false")
    func unfinishedWalksBeginAgain() async throws {
      try await Mirror.with(ConditionalUpstream(GeneratedJikan.plain(150))) { mirror, _ in
        _ = try await mirror.syncctl("run", "--stream", "top-anime", "--max-pages", "2")
        let id = try await mirror.sql("SELECT min(mal_id) FROM jikan.media")
        let row = "SELECT to_jsonb(m) - '{changed_at,requested_at}'::text[] FROM jikan.media m WHERE mal_id = \(id)"
        let before = try await mirror.sql(row)
        _ = try await mirror.sql("UPDATE jikan.media SET raw = raw || '{\"a\": 1}' WHERE mal_id = \(id)")
        let repair = try await mirror.asOwner.syncctl("verify", "--source", "jikan", "--repair")
        #expect(repair.standardError.contains("noted for the next run: 1"), "\(repair.standardError)")
        try await mirror.onlyRun().expect(["pages": 6, "updated": 1])
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
        #expect(try await mirror.sql(row) == before)
        #expect(try await mirror.sql("SELECT count(*) FROM sync.walk WHERE finished_at IS NULL") == "0")
        try await mirror.onlyRun().expect(["updated": 0])
      }
    }

    @Test("counters sent as texts, or twice with two values, are no difference, and move as others do")
    func oddCounters() async throws {
      func list(_ score: String) throws -> HandmadeList {
        let odd = [#""scored": 7, "rank": "12""#, #""scored": "\#(score)""#, #""scored": null"#, #""scored": []"#]
        return HandmadeList(
          items: try odd.enumerated().map { index, extra in
            try HandmadeList.item(index + 1, title: "Title", extra: ", \(extra)")
              .replacing(#""score": 8.5"#, with: #""score": "\#(score)""#)
          })
      }
      let served = Changing(try list("8.5"))
      try await Mirror.with(ScriptedUpstream { served.value.answer($0) }) { mirror, _ in
        for (score, counters) in [("8.5", ["inserted": 4]), ("8.5", ["unchanged": 4]), ("6.25", ["updated": 4])] {
          served.value = try list(score)
          try await mirror.onlyRun().expect(counters)
          #expect(try await Self.differences(mirror, exit: 0).isEmpty)
          #expect(try await mirror.sql("SELECT DISTINCT score FROM jikan.media_counters") == score)
        }
        for scored in ["6.25", "5"] {
          served.value.items[0] = served.value.items[0].replacing(#/"scored": [\d.]+/#, with: "\"scored\": \(scored)")
          try await mirror.onlyRun().expect(["updated": 1, "unchanged": 3])
          #expect(try await Self.differences(mirror, exit: 0).isEmpty)
          #expect(try await mirror.sql("SELECT raw->>'scored' FROM jikan.media WHERE mal_id = 1") == scored)
        }
      }
    }

    @Test("a young document of PokeAPI is fetched again if it was noted, and no other")
    func documentsAreFetchedAgain() async throws {
      try await Mirror.with(SimulatedPokeAPI()) { mirror, _ in
        let run = ["--source", "pokeapi", "--stream", "nature", "--format", "json"]
        _ = try await mirror.syncctl(["run"] + run)
        let rows =
          "SELECT md5(string_agg(r::text, ' ' ORDER BY id)) FROM (SELECT id, name, raw FROM pokeapi.resource) r"
        let before = try await mirror.sql(rows)
        for edit in [
          "UPDATE pokeapi.resource SET raw = '[]' WHERE id = 3", "DELETE FROM pokeapi.resource WHERE id = 5",
          "UPDATE pokeapi.resource SET name = 'x' WHERE id = 7", "DELETE FROM pokeapi.nature WHERE id = 9",
          "INSERT INTO pokeapi.name VALUES ('nature', 11, 'xx', 99, 'x')",
          "INSERT INTO pokeapi.name VALUES ('nature', 999, 'xx', 99, 'x')",
        ] { _ = try await mirror.sql(edit) }
        let repair = try await mirror.asOwner.syncctl("verify", "--source", "pokeapi", "--repair", "--format", "csv")
        #expect(repair.standardError.contains("documents derived again: 3, noted for the next run: 3"), "\(repair)")
        let again = try await mirror.syncctl(["run"] + run)
        try #require(try mirror.runs(again)["nature"]).expect(["inserted": 1, "updated": 1, "fresh": 23])
        #expect(try await mirror.syncctl("verify", "--source", "pokeapi").end == .exit(0))
        #expect(try await mirror.sql(rows) == before)
      }
    }

    @Test("an entry of a chart that comes back to its place has not moved")
    func chartsKeepTheirHistory() async throws {
      let charts = """
        sources:
          itunes:
            charts: [ { name: songs, country: us, media: music, feed: most-played, type: songs, limit: 50 } ]
        """
      try await Mirror.with(GeneratedITunes()) { fresh, server in
        let mirror = fresh.with([
          "SYNCCTL_CONFIG": try fresh.home.write(charts, to: "itunes.yaml"),
          "SYNCCTL_ITUNES_CHARTS_BASE_URL": server.baseURL,
        ])
        let history = "SELECT md5(string_agg(h::text, ' ' ORDER BY h)) FROM itunes.chart_history h"
        #expect(try await mirror.syncctl("run", "--source", "itunes").end == .exit(0))
        let before = try await mirror.sql(history)
        _ = try await mirror.sql("UPDATE itunes.chart_entry SET position = 70 - position WHERE position < 20")
        #expect(try await mirror.asOwner.syncctl("verify", "--source", "itunes", "--repair").end == .exit(1))
        #expect(try await mirror.syncctl("run", "--source", "itunes").end == .exit(0))
        #expect(try await mirror.syncctl("verify", "--source", "itunes").end == .exit(0))
        #expect(try await mirror.sql(history) == before)
      }
    }

    @Test("a full run repairs what it finds, and requests everything", .ownersAlone("may delete rows"))
    func fullRunHeals() async throws {
      try await Self.withMirror { mirror, _ in
        let before = try await mirror.contents()
        try await Self.edit(mirror)
        let run = try await mirror.succeed("run", "--source", "jikan", "--stream", "top-anime", "--full")
        #expect(run.standardError.contains("values or rows were wrong"), "\(run.standardError)")
        #expect(try await mirror.contents() == before)
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
      }
    }

    @Test("a concurrent run makes no difference")
    func runsBesideIt() async throws {
      try await Self.withMirror { mirror, jikan in
        let ids = try await Self.ids(mirror)
        let runs = Task {
          for round in 1...4 {
            jikan.edits.members = round
            jikan.edits.titles = Set(ids.prefix(30 * round))
            try await mirror.onlyRun()
          }
        }
        for _ in 1...6 { #expect(try await Self.differences(mirror, exit: 0).isEmpty) }
        try await runs.value
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
      }
    }

    @Test("more differences than usual are repaired only when that is confirmed, and none while a stream runs")
    func guards() async throws {
      try await Self.withMirror { mirror, _ in
        _ = try await mirror.sql("UPDATE jikan.media SET title = 'x'")
        let refused = try await mirror.asOwner.syncctl("verify", "--source", "jikan", "--repair", "--format", "csv")
        refused.expectFailure(86, naming: "150 of 150 documents differ", "--confirm", isQuiet: false)
        _ = try await mirror.sql(
          """
          UPDATE sync.stream_state SET lease_expires_at = clock_timestamp() + interval '1 minute',
            lease_owner = '{"host": "other", "boot": "b", "pidNamespace": "n", "pid": 7, "startTime": 1}'
          """)
        let held = try await mirror.asOwner.syncctl("verify", "--repair", "--confirm", "--format", "csv")
        held.expectFailure(75, naming: "top-anime", isQuiet: false)
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.media WHERE title = 'x'") == "150")
        _ = try await mirror.sql("UPDATE sync.stream_state SET lease_owner = NULL, lease_expires_at = NULL")
        let confirmed = try await mirror.asOwner.syncctl("verify", "--repair", "--confirm")
        #expect(confirmed.end == .exit(1), "\(confirmed.standardError)")
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
      }
    }

    @Test("what was found is kept, shown by status, and a metric; a job can verify after each run")
    func resultsAreKept() async throws {
      try await Self.withMirror { mirror, _ in
        let mirror = try mirror.with(
          jobs: ["name: top, source: jikan, streams: [top-anime], schedule: '@yearly', verify: local"])
        _ = try await mirror.syncctl("worker", "--once")
        _ = try await mirror.sql(
          "UPDATE jikan.media SET title = 'x' WHERE mal_id = (SELECT min(mal_id) FROM jikan.media)")
        _ = try await mirror.syncctl("jobs", "trigger", "top")
        let job = try await mirror.succeed("worker", "--once")
        #expect(job.standardError.contains("differs from its documents or runs; number of differences: 1"))
        #expect(
          try await mirror.sql(
            """
            SELECT source, mode, streams, differences, first_differences->0->>'column' FROM sync.verification
            ORDER BY id DESC LIMIT 1
            """) == "jikan|local|{top-anime}|1|title")
        let status = try JSONValue(try await mirror.syncctl("status", "--format", "json").standardOutput)
        let stream = try #require(status.array?.first)
        #expect(stream["differences"]?.int == 1 && stream["verified_at"]?.text != nil)
        let file = mirror.home.path + "/x.prom"
        try await mirror.succeed("run", "--stream", "top-anime", "--metrics-file", file)
        let metrics = try String(contentsOfFile: file, encoding: .utf8)
        #expect(metrics.contains(#"syncctl_verification_differences{source="jikan",mode="local"} 1"#), "\(metrics)")
      }
    }

    @Test("a person reads a line for each difference; wrong words are told")
    func output() async throws {
      try await Self.withMirror { mirror, _ in
        let id = try await Self.ids(mirror)[0]
        _ = try await mirror.sql("UPDATE jikan.media SET title = E'\\u001b[2Jx' WHERE mal_id = \(id)")
        let text = try await mirror.syncctl("verify", "--source", "jikan")
        let line = text.standardOutput.split(separator: "\n").first ?? ""
        #expect(line.hasPrefix("jikan.media kind=\"anime\", mal_id=\(id) title: \""), "\(line)")
        #expect(line.contains(", expected \"") && !line.contains("\u{1B}"))
        let csv = try await mirror.syncctl("verify", "--source", "jikan", "--format", "csv")
        #expect(csv.standardOutput.hasPrefix("table,key,column,stored,expected\r\n"), "\(csv.standardOutput)")
        try await mirror.syncctl("verify", "--stream", "top-anim").expectFailure(64, naming: "top-anime")
        try await mirror.syncctl("verify", "--source", "jikan", "--stream", "top-manga")
          .expectFailure(1, naming: "has published nothing")
        try await mirror.syncctl("verify", "--confirm").expectFailure(64, naming: "--repair")
        try await mirror.syncctl("verify", "--columns", "key").expectFailure(64, naming: "--format json")
      }
    }

    private static func withMirror(_ body: (Mirror, GeneratedJikan) async throws -> Void) async throws {
      let jikan = GeneratedJikan.plain(150)
      try await Mirror.with(ConditionalUpstream(jikan)) { mirror, _ in
        try await mirror.onlyRun()
        try await body(mirror, jikan)
      }
    }

    private static func ids(_ mirror: Mirror) async throws -> [Int] {
      try await mirror.sql("SELECT mal_id FROM jikan.media_link WHERE facet = 'genres' GROUP BY 1 ORDER BY 1")
        .split(separator: "\n").compactMap { Int($0) }
    }

    private static func differences(_ mirror: Mirror, exit: Int32) async throws -> [JSONValue] {
      let result = try await mirror.syncctl("verify", "--source", "jikan", "--format", "json")
      #expect(result.end == .exit(exit), "\(result.standardError)")
      let output = try JSONValue(result.standardOutput)
      #expect(output["checked"]?["documents"]?.int ?? 0 > 0)
      return try #require(output["differences"]?.array)
    }
  }
}
