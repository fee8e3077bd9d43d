import PostgresTestKit
import SyncCore
import Testing

@testable import ITunesSource
@testable import JikanSource
@testable import PokeAPISource
@testable import SyncPostgres

/// Tests cursors that no listing prints. The error must blame the argument, not the database.
@Suite(.timeLimit(.minutes(5)))
struct QueriesCursorTests {
  private typealias Ask = @Sendable (PageCursor, Database) async throws -> Void

  private struct Listing {
    let name: String
    let kinds: [PageCursor.KeyType]
    let ask: Ask

    init(_ name: String, _ kinds: [PageCursor.KeyType], _ ask: @escaping Ask) {
      self.name = name
      self.kinds = kinds
      self.ask = ask
    }
  }

  private static let listings = [
    Listing("jikan anime top", [.microseconds, .microseconds, .bigint, .bigint]) { cursor, database in
      _ = try await JikanRankings.page(.init(kind: "anime", limit: 1, after: .cursor(cursor)), in: database)
    },
    Listing("jikan anime score", [.microseconds, .microseconds, .bigint, .bigint]) { cursor, database in
      _ = try await JikanRankings.page(
        .init(kind: "anime", order: .score, limit: 1, after: .cursor(cursor)), in: database)
    },
    Listing("jikan anime as of", [.time, .bigint]) { cursor, database in
      _ = try await JikanHistory.rows(
        .init(kind: "anime", limit: 1, after: .cursor(cursor)), asOf: .ago(.seconds(60)), in: database)
    },
    Listing("pokedex by id", [.bigint, .bigint]) { try await Self.pokedex(.id, $0, $1) },
    Listing("pokedex by name in en", [.text, .bigint]) { try await Self.pokedex(.name, $0, $1) },
    Listing("pokedex by total", [.integer, .bigint]) { try await Self.pokedex(.total, $0, $1) },
    Listing("search jay by relevance", [.time, .array]) { cursor, database in
      _ = try await ITunesQueries.results(
        of: "jay", sort: .relevance, part: .init(limit: 1, after: cursor), in: database)
    },
    Listing("mirror of tw by distance", [.array]) { cursor, database in
      _ = try await ITunesQueries.find(
        .init(term: "a", country: "tw"), sort: .relevance, part: .init(limit: 1, after: cursor), in: database)
    },
    Listing("chart us/music/most-played/songs", [.time, .bigint]) { cursor, database in
      let chart = ITunesCharts.Chart(country: "us", media: "music", feed: "most-played", type: "songs")
      _ = try await ITunesCharts.rows(chart, limit: 1, after: .cursor(cursor), in: database)
    },
    Listing("itunes history", [.bigint]) { cursor, database in
      _ = try await ITunesQueries.lookups(limit: 1, after: .cursor(cursor), in: database)
    },
    Listing("favorites", [.text, .time, .text, .text, .bigint]) { cursor, database in
      _ = try await Favorites.list(nil, limit: 1, after: .cursor(cursor), in: database)
    },
  ]

  private static func pokedex(_ order: Pokedex.Order, _ cursor: PageCursor, _ database: Database) async throws {
    var question = Pokedex.Question(order: order, languages: ["en"])
    question.after = .cursor(cursor)
    _ = try await Pokedex.list(question, in: database)
  }

  private static func usual(_ kind: PageCursor.KeyType) -> String {
    switch kind {
    case .text: "x"
    case .time: "2026-01-01 00:00:00+00"
    case .integer, .bigint, .microseconds: "1"
    case .array: "[1]"
    }
  }

  private static func misfits(_ kind: PageCursor.KeyType) -> [String] {
    let numbers = ["", "x", "1e3", "1; DROP", "٣", "NaN", "9223372036854775808", "-9223372036854775809"]
    switch kind {
    case .text: return ["a\0b"]
    case .time:
      return [
        "", "infinity", "now", "7d", "2026-13-01", "2026-02-30", "0000-01-01", "10000-01-01",
        "294277-01-01 00:00:00+00", "2026-01-01 24:00", "2026-01-01 00:00:00+16",
      ]
    case .integer: return numbers + ["2147483648", "-2147483649"]
    case .bigint: return numbers
    case .microseconds:
      return numbers + ["253402300800000000", "-62135596800000001", "9223372036854775807", "-9223372036854775808"]
    case .array:
      return [
        "", "{}", "1", "[1", "[1, ]", "[01]", "[[1]]", "[1e999999]", "[NaN]", #"["\u0000"]"#, #"["\ud800"]"#,
        "[\"\u{1}\"]",
      ]
    }
  }

  private static func ends(_ kind: PageCursor.KeyType) -> [String?] {
    switch kind {
    case .text: ["", "鋼'"]
    case .time: ["0001-01-01 00:00:00+14:59", "9999-12-31 23:59:59.999999-14:59"]
    case .integer: ["-2147483648", "2147483647"]
    case .bigint: ["-9223372036854775808", "9223372036854775807"]
    case .microseconds: ["-62135596800000000", "253402300799999999"]
    case .array: ["[]", #"[null, true, -1.50, 123456789012345678901234567890, "\u001f\"\\ 鋼"]"#]
    }
  }

  private static func ask(
    _ candidates: (PageCursor.KeyType) -> [String?], _ check: (SyncError?, String?, [String?]) -> Void
  ) async throws {
    try await StoredMirror.with { mirror in
      try await mirror.storePokedex()
      for listing in listings {
        for (place, kind) in listing.kinds.enumerated() {
          for value in candidates(kind) {
            var values: [String?] = listing.kinds.map(usual)
            values[place] = value
            let cursor = PageCursor(listing: listing.name, values: values)
            check(await syncError { try await listing.ask(cursor, mirror.owner) }, value, values)
          }
        }
      }
    }
  }

  @Test("a value that does not fit is named, with status 64")
  func forged() async throws {
    try await Self.ask({ Self.misfits($0) }) { error, value, values in
      #expect(error?.code.exitStatus == 64, "\(values): \(String(describing: error))")
      let named = Excerpt.of(value ?? "", scalars: 40)
      #expect(error?.message.contains(named) == true, "\(String(describing: error))")
    }
  }

  @Test("whatever fits is taken by PostgreSQL")
  func extremes() async throws {
    try await Self.ask({ Self.ends($0) + [nil] }) { error, _, values in
      // A listing can report that the cursor's row is missing.
      #expect(error == nil || error?.code == .missing, "\(values): \(String(describing: error))")
    }
  }
}
