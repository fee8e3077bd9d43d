import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

/// The recorded answers of the real service, if the checkout has them.
enum Recording {
  static let lists = UpstreamFixtures.path("jikan/v4/top")

  /// The bodies of a list's pages.
  static func pages(_ kind: String) throws -> [String] {
    let path = "\(try #require(lists))/\(kind)"
    return try (1...8).map { try String(contentsOfFile: "\(path)/page-\($0).json", encoding: .utf8) }
  }

  /// The items of a list in the upstream's order, including repeats.
  static func items(_ kind: String) throws -> [JSONValue] {
    try pages(kind).flatMap { try #require(try JSONValue($0)["data"]?.array) }
  }
}

extension EndToEnd {
  /// The real bodies: PostgreSQL contains the service's data.
  @Suite(.enabled(if: Recording.lists != nil, "\(UpstreamFixtures.missing)")) struct Recorded {
    @Test func everyFieldOfEveryRowArrives() async throws {
      // The list claims another page, which was not recorded.
      let folder = try await UpstreamFixtures.recording(
        absent: ["https://api.jikan.moe/v4/top/anime?page=9&limit=25"])
      try await Mirror.with(try RecordedUpstream(folder: folder)) { mirror, _ in
        let first = try await mirror.succeed("run", "--source", "jikan", "--format", "json")
        let runs = try mirror.runs(first)
        try expectAnime(try #require(runs["top-anime"]))
        try expectManga(try #require(runs["top-manga"]))
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.anime") == "198")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.manga") == "200")
        for kind in ["anime", "manga"] {
          try await expectColumns(kind, mirror)
          try await expectDocuments(kind, mirror)
          try await expectPositions(kind, mirror)
        }
        try await expectFormatsAgree(mirror)

        let second = try mirror.runs(try await mirror.syncctl("run", "--source", "jikan", "--format", "json"))
        for (stream, run) in second {
          #expect(run["inserted"] == .number(0), "\(stream)")
          #expect(run["updated"] == .number(0), "\(stream)")
          #expect(run["status"] == .string("complete"), "\(stream)")
        }
      }
    }

    private func expectAnime(_ run: JSONValue) throws {
      #expect(run["status"] == .string("complete"))
      #expect(run["requests"] == .number(9))
      #expect(run["pages"] == .number(8))
      #expect(run["inserted"] == .number(198))
      #expect(run["duplicates"] == .number(2))
      let certificate = try #require(run["certificate"])
      #expect(certificate["complete"] == .bool(true))
      #expect(certificate["ended_by"] == .string("404"))
      #expect(certificate["claimed_total"] == .number(200))
      #expect(certificate["distinct_keys"] == .number(198))
      #expect(certificate["repeats"] == .number(2))
    }

    private func expectManga(_ run: JSONValue) throws {
      #expect(run["status"] == .string("complete"))
      #expect(run["requests"] == .number(8))
      #expect(run["inserted"] == .number(200))
      #expect(run["duplicates"] == .number(0))
      let certificate = try #require(run["certificate"])
      #expect(certificate["complete"] == .bool(true))
      #expect(certificate["ended_by"] == .string("has_next_page"))
    }

    /// Compares every column except syncctl's own with its field.
    private func expectColumns(_ kind: String, _ mirror: Mirror) async throws {
      let rows = try await mirror.objects("SELECT to_jsonb(r) - 'raw' AS columns FROM jikan.\(kind) r")
        .compactMap { $0["columns"] }
      // The last copy of a repeated item is stored.
      let source = Dictionary(try Recording.items(kind).map { ($0["mal_id"]?.int ?? 0, $0) }, uniquingKeysWith: { $1 })
      #expect(rows.count == source.count)
      let own: Set = ["content_hash", "first_seen_at", "changed_at", "requested_at", "vanished_at"]
      for row in rows {
        let id = try #require(row["mal_id"]?.int)
        let item = try #require(source[id])
        for (column, value) in try #require(row.members) where !own.contains(column) {
          #expect(value == expected(column, of: item), "\(kind) \(id) \(column)")
        }
        #expect(row["vanished_at"] == .null)
      }
    }

    /// The expected value of a column, in PostgreSQL's JSON format.
    private func expected(_ column: String, of item: JSONValue) -> JSONValue? {
      switch column {
      // Times are at +00:00 in the recording, and PostgreSQL writes them in the same way.
      case "aired_from": item["aired"]?["from"]
      case "published_from": item["published"]?["from"]
      case "image_url": item["images"]?["jpg"]?["image_url"]
      case "score": item["score"] == .number(0) ? .null : item["score"]
      default: item[column]
      }
    }

    private func expectDocuments(_ kind: String, _ mirror: Mirror) async throws {
      var statements = "CREATE TEMP TABLE body (page int, body jsonb);"
      for (number, page) in try Recording.pages(kind).enumerated() {
        statements += "INSERT INTO body VALUES (\(number), $recorded$\(page)$recorded$);"
      }
      statements += """
        SELECT count(*), count(*) FILTER (WHERE a.raw = s.item)
        FROM (SELECT DISTINCT ON (i->>'mal_id') (i->>'mal_id')::bigint AS mal_id, i AS item
              FROM body, jsonb_array_elements(body->'data') WITH ORDINALITY AS e (i, n)
              ORDER BY i->>'mal_id', page DESC, n DESC) s
        LEFT JOIN jikan.\(kind) a USING (mal_id)
        """
      let count = kind == "anime" ? 198 : 200
      #expect(try await mirror.sql(statements) == "\(count)|\(count)")
    }

    /// Positions are ordinals in the list without repeats.
    private func expectPositions(_ kind: String, _ mirror: Mirror) async throws {
      var seen: Set<Int> = []
      let ids = try Recording.items(kind).compactMap { $0["mal_id"]?.int }.filter { seen.insert($0).inserted }
      let rows = try await mirror.sql(
        """
        SELECT position, mal_id FROM jikan.ranking
        WHERE kind = '\(kind)' AND subtype = 'all' AND filter = 'none' ORDER BY position
        """)
      #expect(rows == ids.enumerated().map { "\($0 + 1)|\($1)" }.joined(separator: "\n"))
    }

    /// Table, JSON, CSV and NDJSON of one query have the same content.
    private func expectFormatsAgree(_ mirror: Mirror) async throws {
      func rankings(_ format: String) async throws -> String {
        let result = try await mirror.succeed("rankings", "jikan", "--limit", "5", "--format", format)
        #expect(result.standardError.hasPrefix("next: syncctl rankings jikan --limit 5 --format \(format) --after c"))
        return result.standardOutput
      }
      let json = try #require(try JSONValue(try await rankings("json")).array)
      try #require(json.count == 5)
      let items = try Recording.items("anime").prefix(5)
      #expect(json.map { $0["title"] } == items.map { $0["title"] })
      #expect(json.compactMap { $0["position"] } == (1...5).map { .number(Double($0)) })

      let ndjson = try await rankings("ndjson").split(separator: "\n").map { try JSONValue(String($0)) }
      #expect(ndjson == json)

      let csv = try await rankings("csv").split(separator: "\r\n", omittingEmptySubsequences: false).flatMap {
        $0.split(separator: "\n")
      }
      try #require(csv.count == 6)
      #expect(csv.first?.hasPrefix("position,mal_id,title,") == true)
      let table = try await rankings("table").split(separator: "\n")
      try #require(table.count == 6)
      for (index, row) in json.enumerated() {
        let title = try #require(row["title"]?.text)
        let id = try #require(row["mal_id"]?.int)
        #expect(csv[index + 1].hasPrefix("\(index + 1),\(id),"))
        #expect(csv[index + 1].contains(title))
        #expect(table[index + 1].contains(title))
        #expect(table[index + 1].contains(String(id)))
      }
    }
  }
}
