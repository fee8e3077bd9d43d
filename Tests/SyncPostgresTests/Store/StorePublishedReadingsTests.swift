import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// Lists that were read again, whole or in part: which readings are published.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct StorePublishedReadingsTests {
  private static let ranking = "SELECT mal_id, position FROM jikan.ranking ORDER BY position"
  private static let history = """
    SELECT mal_id, position FROM jikan.ranking_history WHERE valid_to IS NULL ORDER BY position
    """

  @Test("a list that was read again as a whole is published as in its last pass, and so is its history")
  func lastPass() async throws {
    let stream = StreamDescription.list(shrinkGuard: .filteredList, publishing: ["1000"])
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    // 2 is removed after page 1 was read, and 5 moves to the front.
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

  /// The expected list: a key's place is in the latest reading that contains it, otherwise in the latest superseded
  /// one.
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
