import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesRankingsTests {
  /// The values of the upstream's `type=`, and the labels in its answers (from jikan-rest's enums).
  static let labels: [String: [(parameter: String, label: String)]] = [
    "anime": [
      ("tv", "TV"), ("movie", "Movie"), ("ova", "OVA"), ("special", "Special"), ("ona", "ONA"), ("music", "Music"),
      ("cm", "CM"), ("pv", "PV"), ("tv_special", "TV Special"),
    ],
    "manga": [
      ("manga", "Manga"), ("novel", "Novel"), ("lightnovel", "Light Novel"), ("oneshot", "One-shot"),
      ("doujin", "Doujinshi"), ("manhwa", "Manhwa"), ("manhua", "Manhua"), ("", "OEL"),
    ],
  ]

  struct Row {
    let id: Int64
    let place: Int
    let type: String?
    let isOngoing: Bool
    let status: String
    let rank: Int?
    let members: Int?
    let favorites: Int?
    let score: Double?
  }

  private static func rows(_ kind: String, count: Int, _ numbers: inout SeededGenerator) -> [Row] {
    let types = (labels[kind] ?? []).map(\.label) + [nil]
    let statuses =
      kind == "anime"
      ? ["Currently Airing", "Finished Airing", "Not yet aired"]
      : ["Publishing", "Finished", "On Hiatus", "Discontinued", "Not yet published"]
    let ids = (1...Int64(count)).map { $0 * 3 }.shuffled(using: &numbers)
    return ids.enumerated().map { offset, id in
      let status = statuses.randomElement(using: &numbers) ?? ""
      return Row(
        id: id, place: offset + 1, type: types.randomElement(using: &numbers) ?? nil,
        isOngoing: ["Currently Airing", "Publishing"].contains(status), status: status,
        rank: [nil, 0, 1, 2, 3].randomElement(using: &numbers) ?? nil,
        members: [nil, 0, 10, 20, 30].randomElement(using: &numbers) ?? nil,
        favorites: [nil, 0, 5, 7].randomElement(using: &numbers) ?? nil,
        score: [nil, 0, 7.5, 8.25, 9.1].randomElement(using: &numbers) ?? nil)
    }
  }

  private static func media(_ row: Row, _ kind: String) -> Media {
    let number = { (value: Int?) in value.map(String.init) ?? "null" }
    var changes: [String: String?] = [
      "type": row.type.map { "\"\($0)\"" } ?? "null", "status": "\"\(row.status)\"", "rank": number(row.rank),
      "members": number(row.members), "favorites": number(row.favorites), "airing": "\(row.isOngoing)",
      "score": row.score.map { "\($0)" } ?? "null",
    ]
    if kind == "manga" {
      changes["publishing"] = "\(row.isOngoing)"
      changes.updateValue(nil, forKey: "airing")
    }
    return Media(row.id).with(changes)
  }

  private static func expected(_ rows: [Row], _ order: JikanRankings.Order, label: String?) -> [Int64] {
    let chosen = rows.filter { row in
      (label == nil || row.type == label)
        && (order != .airing || row.isOngoing) && (order != .upcoming || row.status.hasPrefix("Not yet"))
    }
    let descending = { (value: Int?) in value.map { -$0 } ?? Int.max }
    let key: (Row) -> Int =
      switch order {
      case .top: { $0.place }
      case .rank: { $0.rank == 0 ? Int.max : $0.rank ?? Int.max }
      case .favorites: { descending($0.favorites) }
      case .score: { $0.score.map { $0 == 0 ? Int.max : -Int($0 * 100) } ?? Int.max }
      case .airing, .upcoming, .popularity, .members: { descending($0.members) }
      }
    return chosen.sorted { (key($0), $0.id) < (key($1), $1.id) }.map(\.id)
  }

  private static func ids(
    _ mirror: StoredMirror, _ kind: String, _ subtype: String?, _ order: JikanRankings.Order, limit: Int = 1000,
    after: Int64? = nil
  ) async throws -> [Int64] {
    let question = JikanRankings.Question(
      kind: kind, subtype: subtype, order: order, limit: limit, after: after.map { .id($0) })
    let page = try await JikanRankings.page(question, in: mirror.database)
    return page.rows.rows.compactMap { $0[1].flatMap { Int64($0) } }
  }

  @Test("every order of every type, whole and in pages", arguments: ["anime", "manga"])
  func orders(_ kind: String) async throws {
    var numbers = SeededGenerator(seed: 7)
    let rows = Self.rows(kind, count: 300, &numbers)
    let otherKind = kind == "anime" ? "manga" : "anime"
    try await WalkedList.run(mirror, .list(kind: kind), [rows.map { Self.media($0, kind) }])
    // The other kind's list has the same ids in another order. The query must not read this list.
    try await WalkedList.run(mirror, .list("other", kind: otherKind), [rows.reversed().map { Media($0.id) }])
    let choices =
      [(parameter: String?.none, label: String?.none)]
      + (Self.labels[kind] ?? []).filter { !$0.parameter.isEmpty }.map { (parameter: $0.parameter, label: $0.label) }
    for order in JikanRankings.Order.allCases {
      for choice in choices {
        let expected = Self.expected(rows, order, label: choice.label)
        let all = try await Self.ids(mirror, kind, choice.parameter, order)
        #expect(all == expected, "\(order) \(choice.parameter ?? "all")")
        guard expected.count > 3 else { continue }
        let page = try await Self.ids(mirror, kind, choice.parameter, order, limit: 2, after: expected[1])
        #expect(page == Array(expected[2..<4]), "\(order) \(choice.parameter ?? "all")")
        #expect(try await Self.ids(mirror, kind, choice.parameter, order, after: expected[expected.count - 1]) == [])
      }
    }
  }

  @Test("pages have the labels of the database for all types")
  func typeLabels() async throws {
    for word in JikanKind.allCases.flatMap(\.subtypes) {
      let label = try await mirror.value("SELECT jikan.type_label('\(word)')")
      #expect(JikanListChoice.typeLabels[word] == label && label != nil, "\(word)")
    }
  }

  @Test("makers are counted by name, and have the titles that the mirror has")
  func makers() async throws {
    func studios(_ names: [(Int, String)]) -> [String: String?] {
      ["studios": "[" + names.map { #"{"mal_id":\#($0.0),"name":"\#($0.1)"}"# }.joined(separator: ",") + "]"]
    }
    // One name with two ids, an entry that names a studio twice, and a vanished entry.
    try await WalkedList.run(
      mirror,
      [
        [
          Media(1).with(studios([(1, "A"), (2, "B")])), Media(2).with(studios([(3, "A"), (1, "A")])),
          Media(3).with(studios([(1, "A")])),
        ]
      ])
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 3")
    let rows = try await JikanCatalogue.makers(of: .anime, limit: 10, in: mirror.database)
    #expect(rows.rows.map { [$0[0], $0[1]] } == [["A", "2"], ["B", "1"]] && rows.total == 2)
    let second = try await JikanCatalogue.makers(of: .anime, order: .name, limit: 1, offset: 1, in: mirror.database)
    #expect(second.rows.map { $0[0] } == ["B"])
    let titles = try await JikanCatalogue.titles(by: "A", .anime, limit: 10, in: mirror.database)
    #expect(titles.rows.map { $0[1] } == ["2", "1"] && titles.total == 2)
    let others = try await JikanCatalogue.titles(by: "A", .anime, except: 2, limit: 10, in: mirror.database)
    #expect(others.rows.map { $0[1] } == ["1"])
    #expect(try await JikanCatalogue.makers(of: .manga, limit: 10, in: mirror.database).rows.isEmpty)
  }

  @Test("a separately mirrored list of a type is shown in the upstream's order")
  func ownList() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2), Media(3)]])
    try await WalkedList.run(mirror, .list("top-anime:tv", subtype: "tv"), [[Media(3), Media(1)]])
    #expect(try await Self.ids(mirror, "anime", "tv", .top) == [3, 1])
    #expect(try await Self.ids(mirror, "anime", nil, .top) == [1, 2, 3])
    #expect(try await Self.ids(mirror, "anime", "tv", .popularity) == [3, 2, 1])
  }

  @Test("positions are those of the list, even after an entry whose item could not be stored")
  func listedButNotStored() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await walk.commit(1, [Media(1), Media(2).with(["year": #""\u0000""#]), Media(3)])
    _ = try await walk.finish()
    let question = JikanRankings.Question(kind: "anime", subtype: nil, order: .top, limit: 9, after: nil)
    let rows = try await JikanRankings.page(question, in: mirror.database).rows
    #expect(
      rows.rows.map { [$0[0], $0[1], $0[2]] } == [["1", "1", "Title 1"], ["2", "2", nil], ["3", "3", "Title 3"]])
  }

  @Test("a vanished item is in no computed ranking")
  func vanished() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 2")
    #expect(try await Self.ids(mirror, "anime", nil, .popularity) == [1])
  }

  @Test("an `after` id that is not in the ranking is an error that names it")
  func afterMissing() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    await expectError(.missing, "anime 77") { _ = try await Self.ids(mirror, "anime", nil, .top, after: 77) }
    #expect(try await Self.ids(mirror, "manga", nil, .rank) == [])
  }

  @Test("columns and their kinds; a score of 0 means none")
  func columns() async throws {
    let picture = #"{"jpg":{"image_url":"https://x/1.jpg"}}"#
    let media = Media(1).with(["score": "0", "url": "\"https://x/1\"", "images": picture])
    try await WalkedList.run(mirror, [[media]])
    let question = JikanRankings.Question(kind: "anime", subtype: nil, order: .rank, limit: 1, after: nil)
    let rows = try await JikanRankings.page(question, in: mirror.database).rows
    #expect(
      rows.columns.map(\.name) == [
        "position", "mal_id", "title", "title_english", "title_japanese", "type", "score", "rank", "members",
        "favorites", "url", "kind", "image_url", "started_at", "not_mirrored", "unread",
      ])
    #expect(
      rows.columns.map(\.type) == [
        .integer, .integer, .text, .text, .text, .text, .decimal, .integer, .integer, .integer, .text, .text,
        .text, .time, .text, .bool,
      ])
    #expect(
      rows.rows == [
        [
          "1", "1", "Title 1", nil, nil, "TV", nil, "1", "5001", "1", "https://x/1", "anime", "https://x/1.jpg",
          "2009-04-05T00:00:00Z", nil, "f",
        ]
      ])
  }

  @Test("common members of the documents are columns of the views; a member of another kind is null")
  func memberColumns() async throws {
    func links(_ names: String...) -> String {
      "[" + names.enumerated().map { #"{"mal_id":\#($0 + 1),"name":"\#($1)"}"# }.joined(separator: ",") + "]"
    }
    let whole = [
      "aired": #"{"from":"2009-04-05T00:00:00+00:00","to":"2010-07-04T00:00:00+00:00"}"#,
      "broadcast": #"{"day":"Sundays","time":"17:00","timezone":"Asia/Tokyo"}"#, "duration": #""1 hr 25 min per ep""#,
      "genres": links("Action", "Drama"), "themes": links("Military"), "studios": links("Bones"),
    ]
    let odd = ["aired": "[]", "broadcast": #"{"day":null,"time":"25:99"}"#, "duration": #""Unknown""#, "genres": "7"]
    try await WalkedList.run(mirror, [[Media(1).with(whole), Media(2).with(odd)]])
    try await mirror.expect(
      """
      SELECT aired_to AT TIME ZONE 'UTC', broadcast_day, broadcast_time, duration_minutes, genres, studios
      FROM jikan.anime ORDER BY mal_id
      """,
      "2010-07-04T00:00:00|Sundays|17:00:00|85|{Action,Drama}|{Bones}", "∅|∅|∅|∅|{}|{}")
    let durations = ["24 min per ep": "24", "2 hr": "120", "45 sec": "0.8", "1 hr 1 min 30 sec": "61.5", "min": ""]
    for (text, minutes) in durations {
      #expect(try await mirror.value("SELECT coalesce(jikan.minutes('\"\(text)\"')::text, '')") == minutes)
    }
    // A query that uses no such column does not read the documents.
    let plan = try await mirror.rows("EXPLAIN SELECT title, score FROM jikan.anime").compactMap { $0[0] }.joined()
    for node in ["Aggregate", "Result", "media_links"] { #expect(!plan.contains(node), "\(plan)") }
  }
}
