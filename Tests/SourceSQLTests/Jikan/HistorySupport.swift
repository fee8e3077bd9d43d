import EmbeddedSQL
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

struct Listed: Sendable, Equatable {
  let id: Int64
  var rank: Int?
  /// The score in hundredths.
  var score: Int?
  var members = 0

  var scoreText: String? { score.map { "\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" } }
}

/// `from` and `to` are numbers of publications.
struct NotedRow: Sendable, Equatable {
  let id: Int64
  let from: Int
  var to: Int?
  let position: Int
  let entry: Listed
}

struct HistoryModel {
  let top: Int
  /// The first publication, and each publication that differs from its predecessor.
  private(set) var snapshots: [[Listed]] = []
  private(set) var rows: [NotedRow] = []

  init(top: Int) { self.top = top }

  mutating func publish(_ list: [Listed]) {
    let number = snapshots.count
    let known = rows
    let before = Self.positions(snapshots.last ?? [])
    let now = Self.positions(list)
    for (id, old) in before {
      let new = now[id]
      let hasMoved =
        new.map {
          ($0.position != old.position || $0.entry.rank != old.entry.rank) && min($0.position, old.position) <= top
        } ?? true
      let isSame = new.map { $0.entry.score == old.entry.score } ?? false
      if isSame, !hasMoved { continue }
      for index in rows.indices where rows[index].id == id && rows[index].to == nil { rows[index].to = number }
      if let new { rows.append(NotedRow(id: id, from: number, position: new.position, entry: new.entry)) }
    }
    for (id, new) in now where before[id] == nil {
      rows.append(NotedRow(id: id, from: number, position: new.position, entry: new.entry))
    }
    if rows != known || list.count != snapshots.last?.count { snapshots.append(list) }
  }

  static func positions(_ list: [Listed]) -> [Int64: (position: Int, entry: Listed)] {
    Dictionary(uniqueKeysWithValues: list.enumerated().map { ($0.element.id, ($0.offset + 1, $0.element)) })
  }

  /// Each row: position, id, score and rank of one of the first `top` entries.
  static func shown(_ list: [Listed], top: Int) -> [[String?]] {
    list.prefix(top).enumerated().map { offset, entry in
      ["\(offset + 1)", "\(entry.id)", entry.scoreText, entry.rank.map { "\($0)" }]
    }
  }

  /// Each row: id, position, previous position, change, movement, score, previous score.
  func movers(from past: Int, to present: Int) -> [[String?]] {
    let before = Self.positions(snapshots[past])
    let now = Self.positions(snapshots[present])
    let end = min(top, max(before.count, now.count)) + 1
    let moved = Set(before.keys).union(now.keys).compactMap {
      id -> (way: Int, place: Int, id: Int64, row: [String?])? in
      let old = before[id].map(\.position).flatMap { $0 <= top ? $0 : nil }
      let new = now[id].map(\.position).flatMap { $0 <= top ? $0 : nil }
      guard old != new else { return nil }
      let isUp = (new ?? .max) < (old ?? .max)
      let movement = before[id] == nil ? "entered" : now[id] == nil ? "left" : isUp ? "up" : "down"
      let change = old.flatMap { old in new.map { "\(old - $0)" } }
      return (
        -abs((old ?? end) - (new ?? end)), new ?? old ?? 0, id,
        [
          "\(id)", new.map { "\($0)" }, old.map { "\($0)" }, change, movement, now[id]?.entry.scoreText,
          before[id]?.entry.scoreText,
        ]
      )
    }
    return moved.sorted { ($0.way, $0.place, $0.id) < ($1.way, $1.place, $1.id) }.map(\.row)
  }
}

struct HistoryList: Sendable {
  let mirror: StoredMirror
  var subtype = "all"
  var filter = "none"
  var top = 10

  /// Keys that a walk read from a page, or from a batch of lookups if `page` is nil.
  struct Reading: Sendable {
    let page: Int?
    let keys: [Int64]
  }

  func publish(_ list: [Listed], isConsistent: Bool = true) async throws {
    let readings = stride(from: 0, to: list.count, by: 4).map { start in
      Reading(page: start / 4 + 1, keys: list[start..<min(start + 4, list.count)].map(\.id))
    }
    try await publish(readings, entries: list, isConsistent: isConsistent)
  }

  func publish(
    _ readings: [Reading], entries: [Listed] = [], isConsistent: Bool = true,
    beforeCommit: @escaping @Sendable () -> Void = {}
  ) async throws {
    let publish = try SourceSQL.text("publish", StreamDescription.topAnime.sql)
    let list = self
    try await mirror.database.write { connection in
      try Self.store(entries, connection)
      let walk = try connection.query(
        """
        INSERT INTO sync.walk (source, stream, provider, origin, page_size)
        VALUES ('jikan', 'test', 'tenrai', 'https://api.example', 4) RETURNING id
        """
      ).int(row: 0, column: 0)
      for (index, reading) in readings.enumerated() {
        _ = try connection.query(
          "INSERT INTO sync.walk_page (walk_id, page, list_page, keys) VALUES ($1, $2, $3, $4)",
          [.int(walk ?? 0), .int(Int64(index + 1)), reading.page.map { .int(Int64($0)) } ?? .null, .ints(reading.keys)])
      }
      _ = try connection.query(
        publish,
        [
          .int(walk ?? 0), .texts(["anime", list.subtype, list.filter]), .texts(["\(list.top)"]),
          .text("00000000-0000-0000-0000-000000000000"), .bool(isConsistent),
        ])
      beforeCommit()
    }
  }

  /// Stores only counters, because the history needs no documents.
  private static func store(_ entries: [Listed], _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      """
      INSERT INTO jikan.media_counters AS c (kind, mal_id, rank, score, members, favorites, counter_hash)
      SELECT 'anime', i.id, i.rank, i.score / 100.0, i.members, i.members / 10, 0
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS i (id, rank, score, members)
      ON CONFLICT (kind, mal_id) DO UPDATE SET
        rank = excluded.rank, score = excluded.score, members = excluded.members, favorites = excluded.favorites
      """,
      [
        .ints(entries.map(\.id)), .optionalInts(entries.map { $0.rank.map(Int64.init) }),
        .optionalInts(entries.map { $0.score.map(Int64.init) }), .ints(entries.map { Int64($0.members) }),
      ])
  }

  func keep(_ days: Int) async throws { _ = try await HistoryRetention(days: days).set(in: mirror.owner) }

  func age(by interval: String) async throws {
    try await mirror.owner.write { connection in
      _ = try connection.query(
        """
        SELECT jikan.attach_ranking_history_partition(moment)
        FROM (SELECT DISTINCT valid_from - $1::interval AS moment FROM jikan.ranking_history) m
        """, [.text(interval)])
      _ = try connection.query(
        """
        UPDATE jikan.ranking_history SET valid_from = valid_from - $1::interval, valid_to = valid_to - $1::interval
        """, [.text(interval)])
      // The times move in two steps, because a moved time could equal the time of a row that has not moved yet.
      for step in ["100 years", "-100 years"] {
        _ = try connection.query(
          "UPDATE jikan.ranking_publication SET published_at = published_at - $1::interval - $2::interval",
          [.text(step), .text(step.hasPrefix("-") ? interval : "0")])
      }
    }
  }

  func moments() async throws -> [String] {
    try await mirror.rows(
      """
      SELECT to_char(published_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM jikan.ranking_publication
      WHERE subtype = $1 AND filter = $2 ORDER BY published_at
      """, [.text(subtype), .text(filter)]
    ).compactMap { $0[0] }
  }

  /// Each row: position, id, score, rank. Only the first `cutAt` positions are exact.
  func shown(_ moment: String, limit: Int = 1000, after: Int64? = nil) async throws -> (rows: [[String?]], cutAt: Int?)
  {
    guard let moment = Moment(moment) else { throw SyncError(.usage, "no moment: \(moment)") }
    let question = JikanRankings.Question(
      kind: "anime", subtype: subtype == "all" ? nil : subtype, order: .top, limit: limit, after: after.map { .id($0) })
    let snapshot = try await JikanHistory.rows(question, asOf: moment, in: mirror.database)
    return (snapshot.page.rows.rows.map { [$0[0], $0[1], $0[6], $0[7]] }, snapshot.cutAt)
  }

  /// Each row: id, position, previous position, change, movement, score, previous score.
  func movers(since moment: String, limit: Int = 1000) async throws -> [[String?]] {
    guard let moment = Moment(moment) else { throw SyncError(.usage, "no moment: \(moment)") }
    let question = JikanRankings.Question(kind: "anime", subtype: subtype == "all" ? nil : subtype, limit: limit)
    let movers = try await JikanHistory.movers(question, since: moment, in: mirror.database)
    return movers.page.rows.rows.map { row in [row[0]] + row[4...9] }
  }

  func partitions() async throws -> [String] {
    try await mirror.rows(
      "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'jikan.ranking_history'::regclass ORDER BY 1"
    ).compactMap { $0[0] }
  }
}

enum ChangingList {
  static func first(count: Int, _ numbers: inout SeededGenerator) -> [Listed] {
    (1...Int64(count)).shuffled(using: &numbers).map { id in entry(id, &numbers) }
  }

  static func next(after list: [Listed], _ numbers: inout SeededGenerator) -> [Listed] {
    var list = list
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      guard let index = list.indices.randomElement(using: &numbers) else { return list }
      switch Int.random(in: 0...6, using: &numbers) {
      case 0:
        let free = (1...Int64(60)).filter { id in !list.contains { $0.id == id } }
        if let id = free.randomElement(using: &numbers) { list.insert(entry(id, &numbers), at: index) }
      case 1: list.remove(at: index)
      case 2: list.swapAt(index, max(0, index - 1))
      case 3: list.insert(list.remove(at: index), at: list.indices.randomElement(using: &numbers) ?? 0)
      case 4: list[index].rank = [nil, 1, 2, 3].randomElement(using: &numbers) ?? nil
      case 5: list[index].score = [nil, 700, 850].randomElement(using: &numbers) ?? nil
      default: list[index].members += 1
      }
    }
    return list
  }

  /// The history records at least one of the changes.
  static func other(than list: [Listed], _ numbers: inout SeededGenerator) -> [Listed] {
    var list = next(after: list, &numbers)
    if let first = list.indices.first { list[first].score = (list[first].score ?? 500) + 1 }
    return list
  }

  private static func entry(_ id: Int64, _ numbers: inout SeededGenerator) -> Listed {
    Listed(id: id, rank: Int(id), score: Int.random(in: 500...900, using: &numbers), members: Int(id) * 10)
  }
}
