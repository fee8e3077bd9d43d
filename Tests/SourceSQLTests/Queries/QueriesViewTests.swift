import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesViewTests {
  static let days: [(first: [String: String?], second: [String: String?])] = [
    ([:], ["score": "8.61", "members": "9999", "rank": "3"]),
    (["score": "null", "rank": "null"], ["score": "7.0", "rank": "12"]),
    ([:], ["score": "null", "rank": "null", "scored_by": "null"]), (["favorites": nil], ["members": "1"]),
    (["favorites": nil, "score": nil], ["favorites": "5", "score": "null"]), ([:], ["favorites": nil, "members": "2"]),
    (["score": "0", "rank": "0"], ["score": "0.0"]),
  ]

  @Test("jikan.anime.raw equals the newest document")
  func anime() async throws {
    let first = Self.days.enumerated().map { Media(Int64($0 + 1)).with($1.first) }
    try await WalkedList.run(mirror, [first])
    for media in first { try await Self.expectRaw("anime", equals: media, mirror) }
    let second = zip(first, Self.days).map { $0.with($1.second) }
    let report = try await WalkedList.run(mirror, [second])
    for media in second { try await Self.expectRaw("anime", equals: media, mirror) }
    // The stored document changes if a counter appears or disappears. New values of counters are in another table.
    let documents = zip(first, second).count { $0.members.keys.sorted() != $1.members.keys.sorted() }
    #expect((report.counters.updated, report.counters.documentsUpdated) == (Self.days.count, documents))
  }

  @Test("jikan.manga.raw too, where the score occurs twice")
  func manga() async throws {
    let first = Media(1).with(["scored": "8.5", "publishing": "true", "airing": nil])
    let stream = StreamDescription.list("top-manga", kind: "manga")
    try await WalkedList.run(mirror, stream, [[first]])
    try await Self.expectRaw("manga", equals: first, mirror)
    let second = first.with(["scored": "9.1", "score": "9.1"])
    try await WalkedList.run(mirror, stream, [[second]])
    try await Self.expectRaw("manga", equals: second, mirror)
    #expect(try await mirror.rows("SELECT publishing, score FROM jikan.manga") == [["t", "9.1"]])
    let other = Media(2).with(["scored": "7"])
    try await WalkedList.run(mirror, stream, [[other]])
    let scored = "SELECT raw->>'score', raw->>'scored' FROM jikan.manga WHERE mal_id = 2"
    #expect(try await mirror.rows(scored) == [["8.5", "7"]], "what was sent is not lost")
  }

  private static func expectRaw(_ view: String, equals media: Media, _ mirror: StoredMirror) async throws {
    let raw = try await mirror.value("SELECT raw FROM jikan.\(view) WHERE mal_id = \(media.id)") ?? "null"
    let isEqual = try await mirror.value(
      "SELECT $1::text::jsonb = $2::text::jsonb", [.text(raw), .text(media.document)])
    #expect(isEqual == "t", "\(raw) is not \(media.document)")
  }

  @Test("the published list with titles and counters; an undetermined score is null")
  func rankingEntry() async throws {
    try await WalkedList.run(mirror, [[Media(2), Media(1).with(["score": "0"])]])
    try await mirror.expect(
      "SELECT position, mal_id, title, score, members FROM jikan.ranking_entry ORDER BY position",
      "1|2|Title 2|8.5|5002", "2|1|Title 1|∅|5001")
  }
}
