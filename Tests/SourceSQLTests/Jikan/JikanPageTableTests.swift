import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct JikanPageTableTests {
  private struct Row {
    var id: Int64
    var score: Double
    var members: Int
    var favorites: Int
    let genres: Set<Int>
    let studio: Int
    let season: String?
    let year: Int
    let status: String
    let rating: String

    static let statuses = ["Finished Airing", "Currently Airing", "Not yet aired"]
    static let ratings = ["PG-13 - Teens 13 or older", "R - 17+ (violence & profanity)", "R+ - Mild Nudity"]

    init(_ id: Int64, _ numbers: inout SeededGenerator) {
      self.id = id
      score = Double(Int.random(in: 550...930, using: &numbers)) / 100
      members = Int.random(in: 0...200, using: &numbers)
      favorites = Int.random(in: 0...5, using: &numbers)
      genres = Set((1...5).filter { _ in Bool.random(using: &numbers) })
      studio = Int.random(in: 1...4, using: &numbers)
      season = ["winter", "spring", nil].randomElement(using: &numbers) ?? nil
      year = Int.random(in: 2019...2021, using: &numbers)
      status = Self.statuses.randomElement(using: &numbers) ?? ""
      rating = Self.ratings.randomElement(using: &numbers) ?? ""
    }

    func media(rank: Int) -> Media {
      let named = genres.sorted().map { #"{"mal_id":\#($0),"name":"Genre \#($0)"}"# }.joined(separator: ",")
      return Media(id).with([
        "score": "\(score)", "members": "\(members)", "favorites": "\(favorites)", "rank": "\(rank)",
        (id.isMultiple(of: 2) ? "genres" : "themes"): "[\(named)]",
        "studios": #"[{"mal_id":\#(studio),"name":"Studio \#(studio)"}]"#,
        "season": season.map { "\"\($0)\"" } ?? "null", "year": "\(year)", "status": "\"\(status)\"",
        "rating": "\"\(rating)\"",
      ])
    }
  }

  private static func publish(_ rows: [Row], _ mirror: StoredMirror, _ stream: StreamDescription) async throws {
    let media = rows.enumerated().map { $1.media(rank: $0 + 1) }
    let pages = stride(from: 0, to: media.count, by: 25).map { Array(media[$0..<min($0 + 25, media.count)]) }
    try await WalkedList.run(mirror, stream, pages)
  }

  private static func ids(_ page: ListPage) -> [Int64] { page.rows.rows.compactMap { $0[1].flatMap { Int64($0) } } }

  private typealias Narrowing = (narrow: @Sendable (inout JikanFilters) -> Void, fits: @Sendable (Row) -> Bool)

  private static let narrowings: [Narrowing] = [
    ({ $0.genres = ["Genre 1", "Genre 2"] }, { $0.genres.isSuperset(of: [1, 2]) }),
    ({ $0.studios = ["Studio 1", "Studio 3"] }, { [1, 3].contains($0.studio) }),
    ({ $0.seasons = ["winter"] }, { $0.season == "winter" }), ({ $0.years = [2019, 2021] }, { $0.year != 2020 }),
    ({ $0.statuses = ["Not yet aired"] }, { $0.status == "Not yet aired" }),
    ({ $0.ratings = ["r", "r+"] }, { $0.rating.hasPrefix("R") }), ({ $0.minScore = 7.5 }, { $0.score >= 7.5 }),
  ]

  @Test("every slice, and each two of them together")
  func slices() async throws {
    var numbers = SeededGenerator(seed: 3)
    let rows = (1...150).map { Row($0, &numbers) }
    try await Self.publish(rows, mirror, .list(publishing: ["1000"]))
    for one in Self.narrowings {
      for other in Self.narrowings {
        var question = JikanRankings.Question(kind: "anime", limit: nil)
        one.narrow(&question.filters)
        other.narrow(&question.filters)
        let fitting = rows.filter { one.fits($0) && other.fits($0) }
        #expect(Self.ids(try await JikanRankings.page(question, in: mirror.database)) == fitting.map(\.id))
        question.order = .score
        let sorted = fitting.sorted { ($1.score, $0.id) < ($0.score, $1.id) }
        #expect(Self.ids(try await JikanRankings.page(question, in: mirror.database)) == sorted.map(\.id))
      }
    }
  }

  @Test(
    "what stands still comes once in the pages of a list that is published again meanwhile",
    arguments: JikanRankings.Order.allCases.filter { ![.airing, .upcoming].contains($0) } + [nil])
  func pages(_ order: JikanRankings.Order?) async throws {
    var numbers = SeededGenerator(seed: 11)
    var rows = (1...120).map { Row($0, &numbers) }.sorted { ($1.score, $0.id) < ($0.score, $1.id) }
    let list = StreamDescription.list(
      order == nil ? "top-anime:airing" : "top-anime", filter: order == nil ? "airing" : "none", publishing: ["10"])
    try await Self.publish(rows, mirror, list)
    var question = JikanRankings.Question(kind: "anime", order: order ?? .top, limit: 7)
    if order == nil { question.filter = "airing" }
    var whole = question
    whole.limit = nil
    let standing = Self.ids(try await JikanRankings.page(whole, in: mirror.database))
    whole.after = .offset(50)
    #expect(Self.ids(try await JikanRankings.page(whole, in: mirror.database)) == Array(standing.dropFirst(50)))
    var moved: Set<Int64> = []
    var shown: [Int64] = []
    for page in 1... {
      let part = try await JikanRankings.page(question, in: mirror.database)
      shown += Self.ids(part)
      #expect(part.rows.rows.count == 7 || part.next == nil)
      guard let next = part.next, let last = shown.last else { break }
      question.after = try .cursor(#require(PageCursor(next.description)))
      guard [2, 5, 9].contains(page) else { continue }
      let candidates = rows.map(\.id).filter { !moved.contains($0) }.shuffled(using: &numbers)
      let movers = ([last] + candidates.prefix(9)).distinct()
      moved.formUnion(movers)
      for (index, id) in movers.enumerated() {
        guard let place = rows.firstIndex(where: { $0.id == id }) else { continue }
        if (index + page).isMultiple(of: 3) {
          rows.remove(at: place)
        } else {
          let isClimbing = (index + page).isMultiple(of: 2)
          rows[place].score = isClimbing ? 9.9 : 5.1
          rows[place].members = isClimbing ? 999 : 0
          rows[place].favorites = isClimbing ? 99 : 0
        }
      }
      let new = (0..<3).map { Row(Int64(1000 + page * 10 + $0), &numbers) }
      moved.formUnion(new.map(\.id))
      rows = (rows + new).sorted { ($1.score, $0.id) < ($0.score, $1.id) }
      try await Self.publish(rows, mirror, list)
    }
    #expect(shown.filter { !moved.contains($0) } == standing.filter { !moved.contains($0) })
  }

  @Test("a publication that is no longer kept: the listing continues after its last entry as it stands now")
  func forgotten() async throws {
    let list = StreamDescription.list(publishing: ["1000"])
    try await WalkedList.run(mirror, list, [[Media(1), Media(2), Media(3), Media(4)]])
    var question = JikanRankings.Question(kind: "anime", limit: 2)
    let first = try await JikanRankings.page(question, in: mirror.database)
    question.after = first.next.map { .cursor($0) }
    try await mirror.execute("UPDATE jikan.published_order SET taken_at = taken_at - interval '2 d'")
    try await WalkedList.run(mirror, list, [[Media(2), Media(1), Media(3), Media(4)]])
    #expect(Self.ids(try await JikanRankings.page(question, in: mirror.database)) == [1, 3])
    // The first order is two days old, but it was replaced just now. A replaced order is kept for a day.
    #expect(try await mirror.rows("SELECT count(*) FROM jikan.published_order") == [["2"]])
    try await mirror.execute("UPDATE jikan.published_order SET taken_at = taken_at - interval '2 d'")
    try await WalkedList.run(mirror, list, [[Media(2), Media(1), Media(4), Media(3)]])
    try await mirror.expect("SELECT mal_ids FROM jikan.published_order ORDER BY taken_at", "{2,1,3,4}", "{2,1,4,3}")
    try await WalkedList.run(mirror, list, [[Media(2), Media(1), Media(4), Media(3)]])
    #expect(try await mirror.rows("SELECT count(*) FROM jikan.published_order") == [["2"]])
  }

  @Test("a cursor is for its own listing, and for a shell")
  func cursors() async throws {
    let cursor = PageCursor(listing: "jikan anime top", values: ["1", nil, "-5", "鋼?>\""])
    #expect(cursor.description.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil)
    #expect(PageCursor(cursor.description) == cursor)
    let long = "c\(String(repeating: "A", count: 5000))"
    for text in ["", "c", "5114", "x\(cursor)", "cAAAA", String(cursor.description.dropLast()), long] {
      #expect(PageCursor(text) != cursor)
    }
    for wrong in [
      cursor, PageCursor(listing: "jikan anime top", values: ["1", "2", "3"]),
      PageCursor(listing: "jikan anime top", values: ["1", "2", "3", "4; DROP"]),
      PageCursor(listing: "jikan manga top", values: ["1", "2", "3", "4"]),
    ] {
      let question = JikanRankings.Question(kind: "anime", limit: 1, after: .cursor(wrong))
      await expectError(.usage) { _ = try await JikanRankings.page(question, in: mirror.database) }
    }
  }
}
