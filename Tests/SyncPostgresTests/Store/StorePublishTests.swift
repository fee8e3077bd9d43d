import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StorePublishTests {
  private static let ranking = "SELECT mal_id, position FROM jikan.ranking ORDER BY position"
  private static let marked = "SELECT mal_id, position, unread FROM jikan.ranking ORDER BY position, unread, mal_id"

  @Test("the same list again writes no row; a changed one writes the changes")
  func differences() async throws {
    let stream = StreamDescription.list(shrinkGuard: .filteredList)
    try await WalkedList.run(mirror, stream, [[1, 2, 3, 4, 5].map { Media($0) }])
    let versions = try await mirror.rowVersions()
    try await WalkedList.run(mirror, stream, [[1, 2, 3, 4, 5].map { Media($0) }])
    #expect(try await mirror.rowVersions() == versions)
    try await WalkedList.run(mirror, stream, [[1, 9, 3].map { Media($0) }, [5, 4].map { Media($0) }])
    #expect(try await mirror.rows(Self.ranking) == [["1", "1"], ["9", "2"], ["3", "3"], ["5", "4"], ["4", "5"]])
    let untouched = Set(versions).intersection(try await mirror.rowVersions()).filter { $0[0] == "ranking" }
    #expect(Set(untouched.compactMap { $0[2] }) == ["1", "3"])
    #expect(try await mirror.value("SELECT vanished_at IS NULL FROM jikan.media WHERE mal_id = 2") == "t")
  }

  @Test("an item without a readable id keeps its place; unseen entries keep their positions, with a mark")
  func unreadable() async throws {
    let stream = StreamDescription.list(shrinkGuard: .filteredList, publishing: ["4"])
    func publish(_ ids: [Int64], unreadable: Int) async throws -> RunReport {
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
      try await walk.commit(1, [], rejected: .unusable([], unreadable: unreadable))
      try await walk.commit(2, ids.map { Media($0) })
      return try await walk.finish(unreadable == 0 ? .complete : .inconsistent)
    }
    _ = try await publish([6, 5, 4, 3, 2, 1], unreadable: 0)
    // The guard would allow these removals. Nothing is removed, because the unreadable item can be any missing item.
    #expect(try await publish([5, 4, 9], unreadable: 1).error == nil)
    let expected = [
      ["6", "1", "t"], ["5", "2", "f"], ["4", "3", "f"], ["9", "4", "f"], ["3", "4", "t"], ["2", "5", "t"],
      ["1", "6", "t"],
    ]
    #expect(try await mirror.rows(Self.marked) == expected)
    #expect(try await mirror.value("SELECT entries FROM sync.publication") == "7")
    let history = """
      SELECT mal_id, position, unread FROM jikan.ranking_history WHERE valid_to IS NULL
      ORDER BY position, unread, mal_id
      """
    #expect(try await mirror.rows(history) == expected)
    // Entries that were read at their former positions have not moved.
    #expect(
      try await mirror.rows("SELECT mal_id, count(*) FROM jikan.ranking_history GROUP BY 1 ORDER BY 1") == [
        ["1", "2"], ["2", "2"], ["3", "2"], ["4", "1"], ["5", "1"], ["6", "2"], ["9", "1"],
      ])
    let order = "SELECT mal_ids::text, positions::text FROM jikan.published_order ORDER BY taken_at"
    #expect(
      try await mirror.rows(order) == [["{6,5,4,3,2,1}", nil], ["{6,5,4,9,3,2,1}", "{-1,2,3,4,-4,-5,-6}"]])
    let versions = try await mirror.rowVersions()
    _ = try await publish([5, 4, 9], unreadable: 1)
    #expect(try await mirror.rowVersions() == versions)
    _ = try await publish([6, 5, 4, 3], unreadable: 0)
    #expect(
      try await mirror.rows(Self.marked) == [["6", "1", "f"], ["5", "2", "f"], ["4", "3", "f"], ["3", "4", "f"]])
    #expect(
      try await mirror.rows(
        "SELECT position, unread FROM jikan.ranking_history WHERE mal_id = 6 ORDER BY valid_from")
        == [["1", "f"], ["1", "t"], ["1", "f"]])
  }

  /// A page that was read again counts only once, as its last reading showed it.
  @Test("unreadable items of a superseded reading are not counted")
  func unreadableSuperseded() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .list(), fresh: true)
    try await walk.commit(1, [Media(1)], rejected: .unusable([], unreadable: 2))
    try await walk.commit(2, [Media(3)])
    try await walk.commit(3, page: 1, [Media(1)], rejected: .unusable([], unreadable: 1))
    _ = try await walk.finish(.inconsistent)
    #expect(try await mirror.rows(Self.marked) == [["1", "1", "f"], ["3", "3", "f"]])
  }

  @Test(
    "a list that would lose too much is not changed, and the run fails",
    arguments: [
      (ShrinkGuard.wholeList, 1000, 950, false), (.wholeList, 1000, 949, true), (.wholeList, 60, 11, false),
      (.filteredList, 10, 5, false), (.filteredList, 10, 4, true), (.filteredList, 10, 0, true),
    ])
  func shrink(_ rule: ShrinkGuard, _ published: Int, _ left: Int, _ isRefused: Bool) async throws {
    let stream = StreamDescription.list(shrinkGuard: rule)
    let first = try await WalkedList.run(mirror, stream, [(1...published).map { Media(Int64($0)) }])
    let second = try await WalkedList.run(mirror, stream, [(0..<left).map { Media(Int64($0 + 1)) }])
    #expect(second.status == (isRefused ? .failed : .complete))
    #expect(second.error?.code == (isRefused ? .guarded : nil))
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "\(isRefused ? published : left)")
    let run = try await mirror.value("SELECT run_id::text FROM sync.publication")
    #expect(run == (isRefused ? first.id : second.id))
    let ledger = "SELECT status, error IS NULL FROM sync.run WHERE id = '\(second.id)'"
    try await mirror.expect(ledger, isRefused ? "failed|f" : "complete|t")
    let complete = try await mirror.value("SELECT last_complete_run_id::text FROM sync.stream_state")
    #expect(complete == (isRefused ? first.id : second.id))
    #expect(try await mirror.value("SELECT lease_owner FROM sync.stream_state") == nil)
  }

  @Test("a walk stops as soon as its limit cannot be kept any more, whichever of its runs met the unusable items")
  func quarantineStops() async throws {
    let claim = PageClaim(total: 10_000)
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    var first = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await first.commit(1, (1...100).map { Media($0) }, rejected: .unusable(Array(1000..<1300)), claim: claim)
    try await first.commit(2, [Media(101)], rejected: .unusable(Array(2000..<2150)), claim: claim)
    _ = try await first.finish(.partial, publishes: false, isResumable: true)
    var second = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await second.commit(3, [Media(102)], rejected: .unusable(Array(3000..<3050)), claim: PageClaim(total: 9000))
    try await second.commit(4, [Media(103)], rejected: .unusable([4000]))
    let error = await syncError { try await second.commit(5, [Media(104)]) }
    #expect(error?.code == .guarded && error?.code.exitStatus == 86)
    #expect(error?.message.contains("501 of 604") == true)
    try await mirror.expect(
      "SELECT count(*), count(*) FILTER (WHERE first_at <> last_at) FROM sync.quarantine", "501|0")
    #expect(try await mirror.value("SELECT max(page), max(mal_id) FROM sync.walk_page, jikan.media") == "4")
    #expect(try await mirror.value("SELECT max(mal_id) FROM jikan.media") == "103")
    let report = try await second.finish(.failed, publishes: false, error: error)
    #expect(report.status == .failed && report.error?.code == .guarded)
    #expect(try await mirror.value("SELECT guarded FROM sync.run WHERE id = '\(report.id)'") == "f")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "2")
    #expect(try await WalkedList(PostgresWalkStore(mirror.database), .topAnime).open.walkID != second.open.walkID)
  }

  @Test("a walk that may still keep its limit is judged at its end", arguments: [nil, 600])
  func quarantineUndecided(claimed: Int?) async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    // A list can be longer than its claimed total, so the unusable items stop the walk only at its end.
    try await walk.commit(1, [], rejected: .unusable(Array(1001...1600)), claim: PageClaim(total: claimed))
    try await walk.commit(2, (1...100).map { Media($0) })
    let report = try await walk.finish()
    #expect(report.status == .failed && report.error?.code == .guarded)
    #expect(report.error?.message.contains("600 of 700") == true)
    try await mirror.expect("SELECT count(*) FROM jikan.ranking", "2")
  }

  @Test("an ending that publishes nothing changes neither list nor date; an inconsistent one is flagged")
  func endings() async throws {
    let store = PostgresWalkStore(mirror.database)
    let first = try await WalkedList.run(mirror, [[Media(1)]])
    var partial = try await WalkedList(store, .topAnime)
    try await partial.commit(1, [Media(2)])
    let why = SyncError(.upstream, "broken", hint: "wait")
    _ = try await partial.finish(.failed, publishes: false, isResumable: true, error: why)
    #expect(try await mirror.rows(Self.ranking) == [["1", "1"]])
    #expect(try await mirror.value("SELECT error FROM sync.run WHERE status = 'failed'") == "broken; wait")
    var moved = try await WalkedList(store, .topAnime, fresh: true)
    try await moved.commit(1, [Media(3), Media(1)])
    let latest = try await moved.finish(.inconsistent)
    #expect(try await mirror.rows(Self.ranking) == [["3", "1"], ["1", "2"]])
    #expect(try await mirror.rows("SELECT consistent, entries FROM sync.publication") == [["f", "2"]])
    #expect(first.isFresh && latest.isFresh)
    #expect(try await mirror.value("SELECT last_complete_run_id::text FROM sync.stream_state") == latest.id)
    #expect(try await mirror.value("SELECT consistent_at < whole_at FROM sync.stream_freshness") == "t")
  }

  @Test("a stream that has ended inconsistent only is fresh, and not consistent; one that was refused is neither")
  func freshness() async throws {
    let freshness = "SELECT whole_at IS NOT NULL, consistent_at IS NOT NULL FROM sync.stream_freshness"
    var moved = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await moved.commit(1, (1...10).map { Media($0) })
    _ = try await moved.finish(.inconsistent)
    #expect(try await mirror.rows(freshness) == [["t", "f"]])
    let before = try await mirror.rows("SELECT * FROM sync.stream_freshness")
    let refused = try await WalkedList.run(mirror, .list(shrinkGuard: .filteredList), [[Media(1)]])
    #expect(refused.error?.code == .guarded && !refused.isFresh)
    #expect(try await mirror.rows("SELECT * FROM sync.stream_freshness") == before)
  }

  @Test("the next walk knows what is on several pages of the published one, with its neighbours")
  func repeats() async throws {
    let store = PostgresWalkStore(mirror.database)
    let pages = [[1, 2, 3], [3, 4, 5], [5, 5, 6]].map { $0.map { Media($0) } }
    for status in [RunStatus.inconsistent, .complete] {
      var walk = try await WalkedList(store, .topAnime)
      for (index, page) in pages.enumerated() { try await walk.commit(index + 1, page) }
      try await walk.commit(4, page: 1, [1, 9, 3].map { Media($0) })
      _ = try await walk.finish(status)
      let next = try await WalkedList(store, .topAnime)
      let known: ListedRepeats = [
        3: [ListedNeighbors(before: 9, after: 3), ListedNeighbors(before: 3, after: 4)],
        5: [
          ListedNeighbors(before: 4, after: 5), ListedNeighbors(before: 5, after: 5),
          ListedNeighbors(before: 5, after: 6),
        ],
      ]
      #expect(next.open.repeats == (status == .complete ? [:] : known))
      _ = try await next.finish(.interrupted, publishes: false)
    }
  }

  @Test("the certificate is stored with the names that people query")
  func certificate() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    let stored = try await mirror.value("SELECT certificate FROM sync.run")
    let expected = """
      {"complete": true, "ended_by": "404", "claimed_total": 3, "distinct_keys": 3, "repeats": 0, "drift": 0,
       "rewalked": 0, "holes": [], "unreadable": 0, "unavailable": [], "unaccounted": 0,
       "listed_twice": 0, "evidence": "total", "unproven": false, "missed": 0}
      """
    try await mirror.expect(
      "SELECT $1::text::jsonb = $2::text::jsonb", with: [.text(stored ?? "null"), .text(expected)], "t")
  }

  private static let history = """
    SELECT mal_id, position FROM jikan.ranking_history WHERE valid_to IS NULL ORDER BY position
    """

  @Test("a list that was read again as a whole is published as in its last pass, and so is its history")
  func lastPass() async throws {
    let stream = StreamDescription.list(shrinkGuard: .filteredList, publishing: ["1000"])
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    try await walk.commit(1, [1, 2].map { Media($0) })
    try await walk.commit(2, [4, 5].map { Media($0) })
    try await walk.commit(3, page: 1, [5, 1].map { Media($0) })
    try await walk.commit(4, page: 2, [3, 4].map { Media($0) })
    _ = try await walk.finish(publishedReadings: 3..<5)
    let expected = [["5", "1"], ["1", "2"], ["3", "3"], ["4", "4"]]
    #expect(try await mirror.rows(Self.ranking) == expected)
    #expect(try await mirror.rows(Self.history) == expected)
    #expect(try await mirror.value("SELECT entries FROM sync.publication") == "4")
  }

  @Test("the guard counts what would be published, and not the superseded pass")
  func guarded() async throws {
    let stream = StreamDescription.list(shrinkGuard: .filteredList)
    try await WalkedList.run(mirror, stream, [[1, 2, 3, 4].map { Media($0) }])
    for isDry in [true, false] {
      let store: any WalkStore =
        isDry ? DryRunStore(mirror.database, report: { _ in }) : PostgresWalkStore(mirror.database)
      var walk = try await WalkedList(store, stream, fresh: true)
      try await walk.commit(1, [1, 2, 3, 4].map { Media($0) })
      try await walk.commit(2, page: 1, [Media(1)])
      let report = try await walk.finish(publishedReadings: 2..<3)
      #expect(report.error?.code == .guarded, "dry: \(isDry)")
    }
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "4")
  }

  @Test("readings of any pages in any order are published by the rule", arguments: 1...6)
  func anyReadings(_ seed: UInt64) async throws {
    var numbers = SeededGenerator(seed: seed)
    var readings = (1...8).map { (page: $0, keys: [Int64]()) }
    for _ in 0..<8 { readings.append((page: Int.random(in: 1...8, using: &numbers), keys: [])) }
    for index in readings.indices {
      let count = Int.random(in: 0...9, using: &numbers)
      readings[index].keys = (0..<count).map { _ in Int64.random(in: 1...60, using: &numbers) }
    }
    let range = seed.isMultiple(of: 2) ? nil : Int.random(in: 1...5, using: &numbers)..<14
    let expected = Self.published(readings, range ?? 1..<readings.count + 1)
    let stream = StreamDescription.list()
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    for (index, reading) in readings.enumerated() {
      try await walk.commit(index + 1, page: reading.page, reading.keys.map { Media($0) })
    }
    _ = try await walk.finish(publishedReadings: range)
    #expect(try await mirror.rows(Self.ranking) == expected.enumerated().map { ["\($1)", "\($0 + 1)"] })
  }

  /// Returns the expected list: the latest reading of each page, and the keys that only older readings contain.
  private static func published(_ readings: [(page: Int, keys: [Int64])], _ range: Range<Int>) -> [Int64] {
    var latest: [Int: Int] = [:]
    for number in range { latest[readings[number - 1].page] = number }
    var places: [Int64: (isCurrent: Bool, page: Int, ordinal: Int, reading: Int)] = [:]
    for number in range {
      let reading = readings[number - 1]
      let isCurrent = latest[reading.page] == number
      var met: Set<Int64> = []
      for (ordinal, key) in reading.keys.enumerated() where met.insert(key).inserted {
        if let place = places[key], place.isCurrent, !isCurrent { continue }
        places[key] = (isCurrent, reading.page, ordinal, number)
      }
    }
    return places.sorted { one, other in
      (one.value.page, one.value.ordinal, -one.value.reading, one.key)
        < (other.value.page, other.value.ordinal, -other.value.reading, other.key)
    }.map(\.key)
  }
}
