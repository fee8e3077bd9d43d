import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct HistoryTests {
  private static func noted(_ mirror: StoredMirror) async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT h.mal_id::text, f.number::text, t.number::text, h.position::text, h.rank::text,
             round(h.score, 2)::text, h.members::text
      FROM jikan.ranking_history h
      LEFT JOIN (SELECT row_number() OVER (ORDER BY published_at) - 1 AS number, * FROM jikan.ranking_publication) f
        ON f.published_at = h.valid_from
      LEFT JOIN (SELECT row_number() OVER (ORDER BY published_at) - 1 AS number, * FROM jikan.ranking_publication) t
        ON t.published_at = h.valid_to
      ORDER BY h.mal_id, h.valid_from
      """)
  }

  private static func expected(_ rows: [NotedRow]) -> [[String?]] {
    rows.sorted { ($0.id, $0.from) < ($1.id, $1.from) }.map { row in
      [
        "\(row.id)", "\(row.from)", row.to.map { "\($0)" }, "\(row.position)", row.entry.rank.map { "\($0)" },
        row.entry.scoreText, "\(row.entry.members)",
      ]
    }
  }

  @Test(
    "five publications: every row, every earlier list, movers and entries", arguments: 1...(testFactor > 1 ? 12 : 4))
  func fivePublications(_ seed: UInt64) async throws {
    var numbers = SeededGenerator(seed: seed)
    let list = HistoryList(mirror: mirror)
    var model = HistoryModel(top: list.top)
    var entries = ChangingList.first(count: Int.random(in: 6...25, using: &numbers), &numbers)
    for number in 1...5 {
      if number > 1 {
        entries = ChangingList.next(after: entries, &numbers)
        try await list.age(by: "\(Int.random(in: 1...45, using: &numbers)) days")
      }
      try await list.publish(entries)
      model.publish(entries)
    }
    #expect(try await Self.noted(mirror) == Self.expected(model.rows))
    let moments = try await list.moments()
    try #require(moments.count == model.snapshots.count && moments.count > 1)
    for (number, moment) in moments.enumerated() {
      let snapshot = model.snapshots[number]
      let (rows, cutAt) = try await list.shown(moment)
      #expect(rows.map(Self.rounded) == HistoryModel.shown(snapshot, top: list.top), "as of \(number)")
      #expect(cutAt == (snapshot.count > list.top ? list.top : nil))
      let movers = try await list.movers(since: moment)
      #expect(movers.map(Self.rounded) == model.movers(from: number, to: moments.count - 1), "movers since \(number)")
      #expect(try await list.movers(since: moment, limit: 2) == Array(movers.prefix(2)))
    }
    for id in Set(model.rows.map(\.id)) {
      let rows = try await JikanHistory.entry(kind: "anime", id: id, subtype: nil, filter: nil, in: mirror.database)
        .rows
      let mine = model.rows.filter { $0.id == id }.sorted { $0.from < $1.from }
      #expect(rows.map { $0[0] } == mine.map { "\($0.position)" })
      #expect(rows.map { $0[5].map(TimeText.wholeSecond) } == mine.map { "\(moments[$0.from].prefix(19))Z" })
      #expect(
        rows.map { $0[6].map(TimeText.wholeSecond) } == mine.map { row in row.to.map { "\(moments[$0].prefix(19))Z" } })
    }
  }

  private static func rounded(_ row: [String?]) -> [String?] {
    row.map { text in
      guard let text, text.contains("."), let value = Double(text) else { return text }
      return Listed(id: 0, score: Int((value * 100).rounded())).scoreText
    }
  }

  @Test("between two publications the list is the earlier one; before the first it is the first")
  func between() async throws {
    let list = HistoryList(mirror: mirror)
    await expectError(.missing, "the list top-anime has not") { _ = try await list.shown("2026-01-01") }
    try await list.publish([Listed(id: 1), Listed(id: 2)])
    try await list.age(by: "10 days")
    try await list.publish([Listed(id: 2), Listed(id: 1)])
    #expect(try await list.shown("5d").rows.map { $0[1] } == ["1", "2"])
    let moments = try await list.moments()
    // Commands print times without a fraction, so a time without a fraction means the end of its second.
    #expect(try await list.shown("\(moments[1].prefix(19))Z").rows.map { $0[1] } == ["2", "1"])
    for early in ["11d", "2w ago", "2001-01-01T00:00:00+02:00"] {
      #expect(try await list.shown(early).rows.map { $0[1] } == ["1", "2"])
      #expect(try await list.movers(since: early).map { $0[0] } == ["2", "1"])
    }
  }

  @Test("an unchanged list records nothing, not even a publication; a change of members alone records nothing")
  func unchanged() async throws {
    let list = HistoryList(mirror: mirror)
    let entries = (1...30).map { Listed(id: $0, rank: Int($0), score: 800) }
    try await list.publish(entries)
    let versions = "SELECT mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.ranking_history ORDER BY 1"
    let before = try await mirror.rows(versions)
    try await list.publish(entries)
    try await list.publish(entries.map { Listed(id: $0.id, rank: $0.rank, score: $0.score, members: 9) })
    try await list.publish(entries)
    #expect(try await mirror.rows(versions) == before)
    #expect(try await list.moments().count == 1)
    try await list.publish(Array(entries[..<10]) + entries[10...].reversed())
    #expect(try await mirror.rows(versions) == before)
    try await list.publish(Array(entries[..<9]) + [entries[10], entries[9]] + entries[11...])
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_history WHERE valid_to IS NULL") == "30")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_history") == "32")
  }

  @Test("below the top a changed rank records nothing; a rank within the top is exact, also of what comes in or leaves")
  func ranks() async throws {
    let list = HistoryList(mirror: mirror, top: 3)
    var entries = (1...6).map { Listed(id: $0, rank: Int($0), score: 800) }
    try await list.publish(entries)
    for place in [1, 3, 4, 5] { entries[place].rank = 10 + place }
    try await list.publish(entries)
    #expect(try await Self.noted(mirror).filter { $0[1] == "1" }.map { [$0[0], $0[4]] } == [["2", "11"]])
    entries.swapAt(2, 4)
    try await list.publish(entries)
    #expect(
      try await Self.noted(mirror).filter { $0[1] == "2" }.map { [$0[0], $0[3], $0[4]] } == [
        ["3", "5", "3"], ["5", "3", "14"],
      ])
    let moments = try await list.moments()
    let ranks = [["1", "2", "3"], ["1", "11", "3"], ["1", "11", "14"]]
    for (moment, ranks) in zip(moments, ranks) { #expect(try await list.shown(moment).rows.map { $0[3] } == ranks) }
    entries[5].score = 700
    try await list.publish(entries)
    #expect(try await Self.noted(mirror).last.map { [$0[0], $0[4]] } == ["6", "15"])
  }

  @Test("null and 0 both mean no rank and no score")
  func none() async throws {
    let list = HistoryList(mirror: mirror)
    try await list.publish([Listed(id: 1, rank: 0, score: 0)])
    try await list.publish([Listed(id: 1, rank: nil, score: nil)])
    #expect(try await Self.noted(mirror) == [["1", "0", nil, "1", nil, nil, "0"]])
  }

  @Test("each publication records how many positions are exact")
  func otherTop() async throws {
    var list = HistoryList(mirror: mirror, top: 3)
    var entries = (1...9).map { Listed(id: $0) }
    try await list.publish(entries)
    entries.swapAt(4, 5)
    try await list.publish(entries)
    list.top = 6
    try await list.publish(entries)
    list.top = 2
    entries.swapAt(2, 4)
    try await list.publish(entries)
    let moments = try await list.moments()
    let expected: [[Int64]] = [[1, 2, 3], [1, 2, 3, 4, 6, 5], [1, 2]]
    for (moment, ids) in zip(moments, expected) {
      let (rows, cutAt) = try await list.shown(moment)
      #expect(rows.map { $0[1] } == ids.map { "\($0)" })
      #expect(cutAt == ids.count)
    }
    // Movers are listed only up to the position where both compared lists are exact.
    list.top = 6
    try await list.publish(entries.reversed())
    try await list.publish(entries)
    entries.swapAt(3, 5)
    try await list.publish(entries)
    #expect(try await list.movers(since: moments[2]) == [])
    #expect(try await list.movers(since: moments[1]).map { $0[0] } == ["6", "5", "3", "4"])
    // `cutAt` is set only on the page that contains the last exact position.
    let page = try await list.shown(moments[1], limit: 2, after: 2)
    #expect(page.rows.map { $0[1] } == ["3", "4"])
    #expect(page.cutAt == nil)
    let skipping = JikanRankings.Question(kind: "anime", limit: 2, after: .offset(2))
    let moment = try #require(Moment(moments[1]))
    let skipped = try await JikanHistory.rows(skipping, asOf: moment, in: mirror.database).page.rows
    #expect(skipped.rows.map { $0[1] } == ["3", "4"])
    #expect(try await list.shown(moments[1], limit: 3, after: 4).cutAt == 6)
    #expect(await syncError { _ = try await list.shown(moments[1], after: 9) }?.code == .missing)
  }

  @Test("each list has its own history; a type without one uses the history of all types, filtered")
  func lists() async throws {
    let all = HistoryList(mirror: mirror)
    let tv = HistoryList(mirror: mirror, subtype: "tv")
    try await mirror.execute(
      """
      INSERT INTO jikan.media (kind, mal_id, title, type, raw, content_hash)
      SELECT 'anime', id, 'Title ' || id, CASE WHEN id % 2 = 0 THEN 'TV' ELSE 'Movie' END, '{}',
        decode(repeat('00', 33), 'hex')
      FROM generate_series(1, 9) AS id
      """)
    try await all.publish([1, 2, 3, 4, 6].map { Listed(id: $0) })
    try await all.age(by: "1 day")
    try await all.publish([6, 1, 2, 4].map { Listed(id: $0) })
    #expect(try await tv.shown("1h").rows.map { [$0[0], $0[1]] } == [["1", "2"], ["2", "4"], ["3", "6"]])
    #expect(
      try await tv.movers(since: "1h").map { Array($0[..<5]) } == [
        ["6", "1", "3", "2", "up"], ["2", "2", "1", "-1", "down"], ["4", "3", "2", "-1", "down"],
      ])
    try await tv.publish([4, 2].map { Listed(id: $0) })
    let other = HistoryList(mirror: mirror, filter: "airing")
    try await other.publish([Listed(id: 9)])
    let own = try await tv.shown(try #require(try await tv.moments().last))
    #expect(own.rows.map { $0[1] } == ["4", "2"])
    try await all.publish([2, 4].map { Listed(id: $0) })
    let later = try #require(try await all.moments().last)
    #expect(try await tv.shown(later).rows.map { $0[1] } == ["4", "2"])
    // At times before the type's own list existed, the list of all types is used.
    #expect(try await tv.movers(since: "1h").first?[0] == "6")
    #expect(try await all.shown(try await all.moments()[1]).rows.count == 4)
    await expectError(.missing) {
      _ = try await JikanHistory.entry(kind: "anime", id: 9, subtype: nil, filter: nil, in: mirror.database)
    }
  }

  @Test("a list without a history is published and records nothing")
  func withoutHistory() async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "2")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_publication") == "0")
  }

  @Test("times increase even if the clock was set back, and publications record whether they are consistent")
  func clock() async throws {
    let list = HistoryList(mirror: mirror)
    try await list.publish([Listed(id: 1)], isConsistent: false)
    try await list.age(by: "-40 days")
    try await list.publish([Listed(id: 2)])
    try await mirror.expect(
      "SELECT consistent, published_at - lag(published_at) OVER (ORDER BY published_at) FROM jikan.ranking_publication",
      "f|∅", "t|00:00:00.000001")
    #expect(try await list.shown(try await list.moments()[1]).rows.map { $0[1] } == ["2"])
  }

  @Test("what a list lacks that had unread titles has not left it")
  func unread() async throws {
    let list = HistoryList(mirror: mirror)
    try await list.publish([Listed(id: 1), Listed(id: 2), Listed(id: 3)])
    try await list.age(by: "10 days")
    try await list.publish([Listed(id: 2), Listed(id: 1)], isConsistent: false)
    let question = JikanRankings.Question(kind: "anime", limit: 2)
    let since = try #require(Moment("5d"))
    func movers() async throws -> (sections: [String?], doubts: [ListDoubt], total: Int?) {
      let movers = try await JikanHistory.movers(question, since: since, in: mirror.database)
      let place = movers.page.rows.columns.firstIndex { $0.name == "section" } ?? 0
      return (movers.page.rows.rows.map { $0[place] }, movers.doubts, movers.page.total)
    }
    // Without a record of the run, the number of unread titles is unknown.
    let unknown = try await movers()
    #expect(unknown.sections == ["climbed", "fell"] && unknown.total == 3 && unknown.doubts.map(\.unread) == [nil])
    for (claimed, section) in [(3, "not read"), (2, "left")] {
      try await mirror.execute(
        """
        INSERT INTO sync.run (id, source, stream, status, certificate)
        VALUES ('00000000-0000-0000-0000-000000000000', 'jikan', 'top-anime', 'inconsistent', jsonb_build_object(
          'complete', false, 'ended_by', '404', 'claimed_total', $1::integer, 'distinct_keys', 2, 'repeats', 0,
          'drift', 1, 'holes', '[]'::jsonb, 'unreadable', 0))
        ON CONFLICT (id) DO UPDATE SET certificate = excluded.certificate
        """, [.int(Int64(claimed))])
      let known = try await movers()
      #expect(known.doubts.map(\.unread) == [claimed - 2] && known.doubts.allSatisfy(\.hasMoved))
      let doubt = try await JikanHistory.doubt(question, in: mirror.database)
      #expect(doubt == known.doubts.first)
      var all = question
      all.limit = nil
      let rows = try await JikanHistory.movers(all, since: since, in: mirror.database).page.rows
      #expect(rows.rows.last?.last == section && rows.sectionTotals == ["climbed": 1, "fell": 1, section: 1])
    }
  }

  @Test("formats of times")
  func times() async throws {
    for (text, isTime) in [
      ("2026-02-28", true), ("2024-02-29", true), ("2026-02-29", false), ("2026-13-01", false), ("0000-01-01", false),
      ("2026-11-21T04:00", true), ("2026-11-21 04:00:00Z", true), ("2026-11-21T04:00:00.123456+05:30", true),
      ("2026-11-21T04:00:00-0800", true), ("2026-11-21T24:00", false), ("2026-11-21T04", false), ("24h", true),
      ("7d", true), ("2w", true), ("2w ago", true), ("-7d", false), ("0d", false), ("7 d", false), ("now", false),
      ("yesterday", true), ("last monday", true), ("Sun", true), ("3 days ago", true), ("an hour ago", true),
      ("last week", true), ("30.11.2026", true), ("1.2.2026", true), ("30.02.2026", false), ("2026/11/30", true),
      ("Nov 30 2026", true), ("30 November, 2026", true), ("Nov 31 2026", false), ("2026-11", true),
      ("11/12/2026", false), ("last", false), ("last 2026", false), ("two days ago", false), ("ago", false),
      ("", false), ("'; SELECT 1", false), ("infinity", false), ("9999999w", false),
      ("٢٠٢٦-١١-٢١", false), ("2026-11-21T04:00:00+15:00", false),
    ] {
      let moment = Moment(text)
      #expect((moment != nil) == isTime, "\(text)")
      guard let moment else { continue }
      let resolved = try await mirror.database.read { connection in try moment.resolved(connection) }
      guard case .at(let text) = moment else { continue }
      let expected = try await mirror.value(
        "SELECT (date_trunc('second', $1::timestamptz) <= $2::timestamptz)::text", [.text(text), .text(resolved)])
      #expect(expected == "true", "\(text)")
    }
  }

  @Test("days in words are beginnings of days in UTC, and dates in other forms are those of ISO 8601")
  func days() async throws {
    for (text, expected) in [
      ("today", "date_trunc('day', now() AT TIME ZONE 'UTC')"),
      ("yesterday", "date_trunc('day', now() AT TIME ZONE 'UTC') - interval '1 day'"),
      // The last day of this name is before today, at most a week ago.
      ("last monday", "date_trunc('week', (now() AT TIME ZONE 'UTC') - interval '1 day')"),
    ] {
      let moment = try #require(Moment(text))
      let resolved = try await mirror.database.read { connection in try moment.resolved(connection) }
      let isSame = try await mirror.value(
        "SELECT ($1::timestamptz = (\(expected)) AT TIME ZONE 'UTC')::text", [.text(resolved)])
      #expect(isSame == "true", "\(text): \(resolved)")
    }
    for text in ["30.11.2026", "2026/11/30", "Nov 30 2026", "30 november 2026", "Nov. 30th, 2026"] {
      #expect(Moment(text) == .at("2026-11-30"), "\(text)")
    }
    #expect(Moment("3 days ago") == .ago(.seconds(3 * 86_400)) && Moment("last week") == Moment("7d"))
  }
}
