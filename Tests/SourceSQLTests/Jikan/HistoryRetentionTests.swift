import Dispatch
import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct HistoryRetentionTests {
  @Test("dropping a month removes no row that is still valid", arguments: 1...(testFactor > 1 ? 6 : 3))
  func carriesForward(_ seed: UInt64) async throws {
    var numbers = SeededGenerator(seed: seed)
    let list = HistoryList(mirror: mirror)
    var model = HistoryModel(top: list.top)
    var entries = ChangingList.first(count: 12, &numbers)
    for number in 1...7 {
      if number > 1 {
        entries = ChangingList.other(than: entries, &numbers)
        try await list.age(by: "\(Int.random(in: 1...40, using: &numbers)) days")
      }
      try await list.publish(entries)
      model.publish(entries)
    }
    try await list.age(by: "1 day")
    let moments = try await list.moments()
    try await list.keep(45)
    entries = ChangingList.other(than: entries, &numbers)
    try await list.publish(entries)
    model.publish(entries)
    let cutoff = try #require(
      try await mirror.value(
        """
        SELECT to_char(date_trunc('month', clock_timestamp() - interval '45 days'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        """))
    try await mirror.expect(
      "SELECT count(*) FROM jikan.ranking_history WHERE valid_from < $1::timestamptz", with: [.text(cutoff)], "0")
    let month = "jikan.ranking_history_\(cutoff.prefix(7).replacing("-", with: "_"))"
    #expect(try await list.partitions().allSatisfy { $0 >= month })
    let kept = model.snapshots.indices.filter { $0 == 7 || moments[$0] >= cutoff }
    for number in kept {
      let moment = number == 7 ? try #require(try await list.moments().last) : moments[number]
      #expect(
        try await list.shown(moment).rows.map { $0[1] }
          == HistoryModel.shown(model.snapshots[number], top: list.top).map { $0[1] })
      let movers = try await list.movers(since: moment)
      #expect(movers.map { Array($0[..<5]) } == model.movers(from: number, to: 7).map { Array($0[..<5]) })
    }
    // The last publication before the cutoff is kept as the list at the cutoff. Earlier times show the same list.
    let first = try #require(kept.first)
    if first > 0 {
      let atCutoff = try await list.shown(cutoff.replacing("Z", with: ".000001Z"))
      #expect(
        atCutoff.rows.map { $0[1] } == HistoryModel.shown(model.snapshots[first - 1], top: list.top).map { $0[1] })
      #expect(try await list.shown(moments[first - 1]).rows == atCutoff.rows)
    } else {
      #expect(try await list.moments().count == 8)
    }
    #expect(try await mirror.value("SELECT jikan.drop_ranking_history()") == "0")
  }

  @Test("a wrong retention never removes today's list")
  func neverToday() async throws {
    let list = HistoryList(mirror: mirror)
    try await list.publish([Listed(id: 1)])
    let moment = try #require(try await list.moments().last)
    try await list.keep(1)
    for days in [0, -400] {
      let refusal = await syncError { try await list.keep(days) }
      #expect(refusal != nil)
    }
    _ = try await mirror.database.write { connection in
      _ = try connection.query("SELECT jikan.drop_ranking_history()")
    }
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_history WHERE valid_to IS NULL") == "1")
    #expect(try await list.shown(moment).rows.count == 1)
  }

  @Test("concurrent publications make a month once, and drop one once")
  func concurrent() async throws {
    let subtypes = ["tv", "movie", "ova", "special"]
    for round in 1...3 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for subtype in subtypes {
          group.addTask {
            try await mirror.other { database in
              let list = HistoryList(mirror: StoredMirror(database: database, test: mirror.test), subtype: subtype)
              try await list.publish([HistoryList.Reading(page: 1, keys: round == 2 ? [1, 2, 3] : [3, 2, 1])])
            }
          }
        }
        try await group.waitForAll()
      }
      let list = HistoryList(mirror: mirror)
      if round < 3 { try await list.age(by: round == 1 ? "30 days" : "70 days") }
      if round == 2 { try await list.keep(40) }
    }
    let rows = try await mirror.rows(
      """
      SELECT subtype, count(*) FILTER (WHERE valid_to IS NULL),
             string_agg(mal_id::text, ' ' ORDER BY position) FILTER (WHERE valid_to IS NULL)
      FROM jikan.ranking_history GROUP BY subtype ORDER BY subtype
      """)
    #expect(rows == subtypes.sorted().map { [$0, "3", "3 2 1"] })
    for subtype in subtypes {
      let list = HistoryList(mirror: mirror, subtype: subtype)
      #expect(try await list.moments().count == 2)
      #expect(try await list.shown("35d").rows.map { $0[1] } == ["1", "2", "3"])
    }
  }

  @Test("a long read of the history delays the dropping and stops no publication")
  func busy() async throws {
    let list = HistoryList(mirror: mirror)
    try await list.publish([Listed(id: 1)])
    try await list.age(by: "100 days")
    try await list.keep(31)
    let old = try #require(try await list.partitions().first)
    let reading = Gate()
    let published = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await mirror.other { database in
          try await database.write { connection in
            _ = try connection.query("LOCK TABLE jikan.ranking_history IN ACCESS SHARE MODE")
            reading.open()
            #expect(published.wait(timeout: .now() + 300) == .success)
          }
        }
      }
      await reading.pass()
      do {
        defer { published.signal() }
        try await list.publish([Listed(id: 2)])
      }
      try await group.waitForAll()
    }
    #expect(try await list.partitions().contains(old))
    #expect(try await list.moments().count == 2)
    try await list.publish([Listed(id: 2)])
    #expect(try await !list.partitions().contains(old))
  }

  @Test("rows are carried forward only after a running publication has ended")
  func underWay() async throws {
    let list = HistoryList(mirror: mirror)
    try await list.publish([Listed(id: 1), Listed(id: 2)])
    try await list.age(by: "100 days")
    try await list.keep(40)
    let publishing = Gate()
    let goesOn = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await mirror.other { database in
          try await HistoryList(mirror: StoredMirror(database: database, test: mirror.test)).publish(
            [HistoryList.Reading(page: 1, keys: [2, 1])],
            beforeCommit: {
              publishing.open()
              #expect(goesOn.wait(timeout: .now() + 300) == .success)
            })
        }
      }
      await publishing.pass()
      group.addTask {
        defer { goesOn.signal() }
        try await mirror.other { database in
          try await HistoryList(
            mirror: StoredMirror(database: database, test: mirror.test), subtype: "tv"
          ).publish([HistoryList.Reading(page: 1, keys: [1])])
        }
      }
      try await waitUntil("a session waits for a lock") {
        try await mirror.value(
          """
          SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE NOT l.granted AND d.datname = current_database()
          """) != "0"
      }
      goesOn.signal()
      try await group.waitForAll()
    }
    try await mirror.expect(
      """
      SELECT mal_id, position FROM jikan.ranking_history WHERE subtype = 'all' AND valid_to IS NULL ORDER BY position
      """, "2|1", "1|2")
  }

  @Test("only months around today are made, whoever calls the function")
  func months() async throws {
    for months in [-1, 0, 1, 2] {
      try await mirror.execute(
        "SELECT jikan.make_ranking_history_partition(now() + make_interval(months => $1::integer))",
        [.int(Int64(months))])
    }
    let made = try await HistoryList(mirror: mirror).partitions()
    #expect(made.count == 4)
    for moment in ["now() + interval '3 months'", "now() - interval '2 months'", "'infinity'", "NULL"] {
      let refusal = await syncError {
        try await mirror.execute("SELECT jikan.make_ranking_history_partition(\(moment))")
      }
      #expect(refusal != nil, "\(moment)")
    }
    #expect(try await HistoryList(mirror: mirror).partitions() == made)
  }

  @Test("the cost of the history")
  func storage() async throws {
    let list = HistoryList(mirror: mirror, top: 1000)
    let size = """
      SELECT sum(pg_total_relation_size(inhrelid))::text FROM pg_inherits
      WHERE inhparent = 'jikan.ranking_history'::regclass
      """
    var entries = (1...6000).map { Listed(id: $0, rank: Int($0), score: 700, members: 100_000) }
    try await list.publish(entries)
    let before = try #require(try await mirror.value(size).flatMap { Int($0) })
    let rounds = 3
    for round in 1...rounds {
      for index in 0..<1000 { entries[index * 6].score = 700 + round }
      try await list.publish(entries)
    }
    let after = try #require(try await mirror.value(size).flatMap { Int($0) })
    let row = try await mirror.value("SELECT round(avg(pg_column_size(h.*))) FROM jikan.ranking_history h")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_history") == "\(6000 + rounds * 1000)")
    let thousand = (after - before) / rounds
    print(
      "history: \(thousand / 1000) kB for 1,000 changed entries (indexes and ended versions included), "
        + "\(row ?? "?") bytes a row; the first publication of 6,000 entries took \(before / 1000) kB")
    #expect(thousand < 600_000)
  }
}
