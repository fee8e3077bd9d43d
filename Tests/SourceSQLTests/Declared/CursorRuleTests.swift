import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct CursorRuleTests {
  private static let histories = 300 * testFactor

  private static func seed(_ kind: CursorKind, _ number: Int) -> UInt64 {
    testSeed &* 1_000_003 &+ UInt64(number) &* 31 &+ kind.rawValue.utf8.fnv1a
  }

  /// Returns the history after some walks, and the items that it lost.
  private static func lost(_ kind: CursorKind, _ number: Int, takesLargest: Bool = false) -> [Int] {
    var history = CursorHistory(kind, seed: seed(kind, number), takesLargest: takesLargest)
    for _ in 0..<12 {
      history.walk()
      let missed = history.missed
      if !missed.isEmpty { return missed }
      history.rest()
    }
    return []
  }

  @Test("no history of changes during walks loses a change", arguments: CursorKind.allCases)
  func losesNothing(kind: CursorKind) {
    for number in 0..<Self.histories {
      let lost = Self.lost(kind, number)
      #expect(lost.isEmpty, "\(kind), seed \(testSeed), history \(number): items \(lost)")
      if !lost.isEmpty { break }
    }
  }

  @Test(
    "the histories do lose changes if the cursor becomes the largest value",
    // An item that never changes cannot hide a change.
    arguments: CursorKind.allCases.filter { $0 != .growingIDs })
  func largestLoses(kind: CursorKind) {
    #expect((0..<300).contains { !Self.lost(kind, $0, takesLargest: true).isEmpty }, "\(kind)")
  }

  @Test("a list that no longer changes costs no more than its two largest values", arguments: CursorKind.allCases)
  func settles(kind: CursorKind) {
    for number in 0..<Self.histories / 3 {
      var history = CursorHistory(kind, seed: Self.seed(kind, number))
      for _ in 0..<4 {
        history.walk()
        history.rest()
      }
      history.wait(days: 3)
      for _ in 0..<3 { history.walk(isQuiet: true) }
      let ranks = Set(history.items.values.map(\.value.rank)).sorted(by: >)
      guard let cursor = history.rule.cursor else {
        #expect(ranks.count < 2, "\(kind), history \(number)")
        continue
      }
      // A removed item can have had the value of the cursor.
      #expect(cursor.rank >= ranks.dropFirst(1).first ?? 0, "\(kind), history \(number)")
      let listed = history.items.values.count { $0.value.rank >= ranks.dropFirst(1).first ?? 0 }
      #expect(history.read <= listed, "\(kind), history \(number)")
      #expect(history.missed.isEmpty && (!kind.hasClock || cursor.rank >= ranks[0]), "\(kind), history \(number)")
    }
  }

  /// One walk of the table `products`, whose items are the values.
  private static func walk(_ readings: [[ModelValue]], isFull: Bool) async throws -> (startedAt: Int, now: Int) {
    let absence: Absence = isFull ? .questionsItem(.wholeList, publishes: true) : .provesNothing
    var stream = DeclaredTable.products.stream(absence)
    if !isFull {
      let wholeList = stream.parameters
      stream = StreamDescription(
        id: stream.id, provider: stream.provider, origin: stream.origin, pageSize: stream.pageSize, absence: absence,
        sql: stream.sql, parameters: wholeList + "&since=1")
      stream.wholeListParameters = wholeList
    }
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    var key: Int64 = 0
    for (index, values) in readings.enumerated() {
      let items = values.map { value in
        key += 1
        return Product(key, "\(key)", ["updated_at": value.json])
      }
      try await walk.commit(index + 1, items)
    }
    _ = try await walk.finish()
    let times = try await mirror.rows(
      "SELECT extract(epoch FROM started_at)::bigint, extract(epoch FROM clock_timestamp())::bigint FROM sync.walk "
        + "WHERE id = $1", [.int(walk.open.walkID)])
    return (Int(times[0][0] ?? "") ?? 0, Int(times[0][1] ?? "") ?? 0)
  }

  @Test("the statement that ends a walk follows the rule of the histories", arguments: CursorKind.allCases)
  func statement(kind: CursorKind) async throws {
    try await mirror.migrate(.products)
    var generator = SeededGenerator(seed: Self.seed(kind, 0))
    for _ in 0..<3 {
      try await mirror.execute("UPDATE sync.declared_resource SET cursor = NULL, reached = NULL, reached_by = NULL")
      var rule = ModelRule()
      for step in 0..<5 {
        let isFull = step == 0 || step == 3
        // Ages are far from the limits, because the clock goes on during the test.
        let ages = [-400_000, -1000, 30, 1000, 10_000, 40_000, 60_000, 100_000, 150_000, 250_000, 500_000]
        let base = Int(Date().timeIntervalSince1970)
        let readings = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            let age = ages.randomElement(using: &generator) ?? 0
            return kind.value(
              now: base - age, change: Int.random(in: 10...150, using: &generator), zone: 0, &generator)
          }
        }
        let (startedAt, now) = try await Self.walk(readings, isFull: isFull)
        rule.finish(
          shown: Array(readings.joined()), first: readings.first ?? [], startedAt: startedAt, now: now, isFull: isFull)
        try await mirror.expect(
          "SELECT cursor::text, reached::text FROM sync.declared_resource",
          "\(rule.cursor?.json ?? "∅")|\(rule.reached?.json ?? "∅")")
      }
    }
  }

  private static func numbers(_ values: Int...) -> [ModelValue] {
    values.map { ModelValue(.number, $0) }
  }

  private static let state = "SELECT cursor::text, reached::text FROM sync.declared_resource"

  @Test("an incremental walk of numbers moves the cursor to what the walk before it has shown")
  func oneWalkBehind() async throws {
    try await mirror.migrate(.products)
    let steps: [(readings: [[ModelValue]], isFull: Bool, state: String)] = [
      // A change during this walk can have received 6, and be on the first page.
      ([Self.numbers(1, 2), Self.numbers(3), Self.numbers(7)], true, "1|3"),
      ([Self.numbers(2, 3), Self.numbers(7)], false, "3|3"), ([Self.numbers(3, 7)], false, "3|3"),
      ([Self.numbers(3, 7, 9)], false, "7|7"), ([], false, "7|7"), ([Self.numbers(9)], false, "7|7"),
      // A walk of the whole list goes on from there, too.
      ([Self.numbers(1), Self.numbers(2, 7, 9)], true, "7|7"),
      // The values have fallen.
      ([Self.numbers(1, 2), Self.numbers(4)], true, "1|2"),
    ]
    for (number, step) in steps.enumerated() {
      _ = try await Self.walk(step.readings, isFull: step.isFull)
      let found = try await mirror.rows(Self.state)[0].map { $0 ?? "∅" }.joined(separator: "|")
      #expect(found == step.state, "step \(number)")
    }
  }

  @Test("what another list has shown does not move the cursor")
  func otherList() async throws {
    try await mirror.migrate(.products)
    _ = try await Self.walk([Self.numbers(1, 2), Self.numbers(8, 9)], isFull: true)
    try await mirror.expect(Self.state, "1|8")
    try await mirror.execute("UPDATE sync.declared_resource SET reached_by = md5('another list')")
    _ = try await Self.walk([Self.numbers(1, 2), Self.numbers(8, 9)], isFull: true)
    try await mirror.expect(Self.state, "1|8")
  }
}
