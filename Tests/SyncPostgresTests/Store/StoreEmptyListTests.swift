import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreEmptyListTests {
  private static let stream = StreamDescription.list(
    "top-anime:cm", subtype: "cm", shrinkGuard: .filteredList, publishing: ["1000"], witness: "http://h/whole")
  private static let some = [[1, 2, 3].map { Media($0) }]

  private static func age(_ mirror: StoredMirror, bySeconds seconds: Int) async throws {
    try await mirror.execute("UPDATE sync.stream_state SET empty_since = empty_since - interval '\(seconds) s'")
  }

  private static func publishThenFindEmpty(_ mirror: StoredMirror) async throws {
    _ = try await WalkedList.run(mirror, stream, some)
    _ = try await WalkedList.run(mirror, stream, [])
    try await age(mirror, bySeconds: 86_400)
  }

  private static func entries(_ mirror: StoredMirror) async throws -> String? {
    try await mirror.value("SELECT count(*) FROM jikan.ranking")
  }

  @Test("a list that was never published is published at once")
  func first() async throws {
    let report = try await WalkedList.run(mirror, Self.stream, [])
    #expect(report.status == .complete && report.error == nil && report.warning == nil)
    #expect(try await mirror.rows("SELECT entries, consistent FROM sync.publication") == [["0", "t"]])
    #expect(try await WalkedList.run(mirror, Self.stream, []).warning == nil)
    #expect(try await mirror.value("SELECT empty_since FROM sync.stream_state") == nil)
  }

  @Test("published entries stay at the first empty answer, and are removed by one 20 hours later, without the guard")
  func second() async throws {
    let full = try await WalkedList.run(mirror, Self.stream, Self.some)
    let versions = try await mirror.rowVersions()
    let expected =
      "the list is empty; its 3 published entries are kept until a run finds it empty again, 20 hours or more after the "
      + "first one"
    for _ in 1...2 {
      let report = try await WalkedList.run(mirror, Self.stream, [])
      #expect(report.status == .complete && report.error == nil && report.warning == expected)
      #expect(!report.isFresh, "what it saw is not published")
      #expect(try await mirror.value("SELECT last_complete_run_id FROM sync.stream_state") == full.id)
      #expect(try await mirror.value("SELECT warning FROM sync.run WHERE id = '\(report.id)'") == expected)
      #expect(try await mirror.rowVersions() == versions)
      #expect(try await mirror.rows("SELECT run_id, entries FROM sync.publication") == [[full.id, "3"]])
      // After both rounds, the first empty answer is one minute younger than the required 20 hours.
      try await Self.age(mirror, bySeconds: 10 * 3600 - 30)
    }
    try await Self.age(mirror, bySeconds: 60)
    let last = try await WalkedList.run(mirror, Self.stream, [])
    #expect(last.status == .complete && last.error == nil && last.warning == nil)
    #expect(try await Self.entries(mirror) == "0")
    #expect(try await mirror.rows("SELECT run_id, entries FROM sync.publication") == [[last.id, "0"]])
    #expect(try await mirror.value("SELECT empty_since FROM sync.stream_state") == nil)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking_history WHERE valid_to IS NULL") == "0")
  }

  @Test(
    "after items between two empty answers the second one counts as the first", arguments: ["published", "interrupted"])
  func between(_ how: String) async throws {
    try await Self.publishThenFindEmpty(mirror)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), Self.stream, fresh: true)
    try await walk.commit(1, Self.some[0])
    _ = how == "published" ? try await walk.finish() : try await walk.finish(.interrupted, publishes: false)
    #expect(try await mirror.value("SELECT empty_since FROM sync.stream_state") == nil)
    #expect(try await WalkedList.run(mirror, Self.stream, []).warning != nil)
    #expect(try await Self.entries(mirror) == "3")
  }

  @Test("a run that saw nothing at all proves nothing: the first empty answer still counts")
  func failedBetween() async throws {
    try await Self.publishThenFindEmpty(mirror)
    let walk = try await WalkedList(PostgresWalkStore(mirror.database), Self.stream, fresh: true)
    _ = try await walk.finish(.failed, publishes: false, error: SyncError(.upstream, "down"))
    #expect(try await WalkedList.run(mirror, Self.stream, []).warning == nil)
    #expect(try await Self.entries(mirror) == "0")
  }

  @Test("an answer of another service does not count")
  func otherOrigin() async throws {
    try await Self.publishThenFindEmpty(mirror)
    let other = StreamDescription.list(
      "top-anime:cm", subtype: "cm", origin: "https://other.example/v1", witness: "http://h/whole")
    let store = PostgresWalkStore(mirror.database, options: .init(adoptsOrigin: true))
    let walk = try await WalkedList(store, other, fresh: true)
    #expect(try await walk.finish().warning != nil)
    #expect(try await Self.entries(mirror) == "3")
  }

  @Test("a list that shrinks and is not empty is left to the guard, and so is one that is never empty")
  func guarded() async throws {
    try await Self.publishThenFindEmpty(mirror)
    let shrunken = try await WalkedList.run(mirror, Self.stream, [[Media(1)]])
    #expect(shrunken.error?.code == .guarded && shrunken.warning == nil)
    let whole = StreamDescription.list("top-anime", shrinkGuard: .filteredList)
    _ = try await WalkedList.run(mirror, whole, Self.some)
    #expect(try await WalkedList.run(mirror, whole, []).error?.code == .guarded)
    #expect(try await Self.entries(mirror) == "6")
  }

  @Test("an item without a readable id is an item")
  func unreadable() async throws {
    _ = try await WalkedList.run(mirror, Self.stream, Self.some)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), Self.stream, fresh: true)
    try await walk.commit(1, [], rejected: [RejectedItem(key: nil, reason: "no_id", detail: "x", excerpt: "{}")])
    #expect(try await walk.finish(.inconsistent).warning == nil)
    #expect(try await mirror.value("SELECT empty_since FROM sync.stream_state") == nil)
    #expect(try await Self.entries(mirror) == "3")
  }
}

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreWindowTests {
  private static func window(expecting span: String? = nil) -> StreamDescription {
    .list("seasons:now", filter: "season:now", absence: .leavesWindow, expectedSpan: span)
  }

  private static func media(_ ids: ClosedRange<Int64>, _ season: String?, _ year: Int?) -> [Media] {
    ids.map { Media($0, ["season": season.map { "\"\($0)\"" } ?? "null", "year": year.map { "\($0)" } ?? "null"]) }
  }

  @Test("all entries of a window may be replaced at once, and in any number")
  func replaced() async throws {
    let stream = Self.window()
    try await WalkedList.run(mirror, stream, [(1...25).map { Media($0) }])
    let next = try await WalkedList.run(mirror, stream, [(26...50).map { Media($0) }])
    #expect(next.status == .complete && next.error == nil)
    #expect(try await mirror.rows("SELECT count(*), min(mal_id) FROM jikan.ranking") == [["25", "26"]])
    #expect(try await WalkedList.run(mirror, stream, [[Media(99)]]).error == nil)
    #expect(try await mirror.value("SELECT string_agg(mal_id::text, ' ') FROM jikan.ranking") == "99")
  }

  @Test("an empty window is refused, whether or not one was published, until a person confirms it")
  func empty() async throws {
    let stream = Self.window()
    let first = try await WalkedList.run(mirror, stream, [])
    #expect(first.status == .failed && first.error?.code == .guarded)
    try await WalkedList.run(mirror, stream, [[Media(1), Media(2)]])
    let second = try await WalkedList.run(mirror, stream, [])
    #expect(second.error?.code == .guarded && second.error?.message.contains("the list is empty") == true)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "2")
    let walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, confirming: second.id)
    #expect(try await walk.finish().error == nil)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.ranking") == "0")
  }

  @Test(
    "a window with more than half unusable entries is refused", arguments: [(4, 4, false), (4, 5, true), (0, 3, true)])
  func unreadable(_ good: Int, _ bad: Int, _ isRefused: Bool) async throws {
    let stream = Self.window()
    try await WalkedList.run(mirror, stream, [(1...9).map { Media($0) }])
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    let items = (0..<Int64(good)).map { Media(100 + $0) }
    let rejected = (0..<Int64(bad)).map {
      RejectedItem(key: $0 % 2 == 0 ? 200 + $0 : nil, reason: "wrong_type", detail: "title: a number", excerpt: "{}")
    }
    try await walk.commit(1, items, rejected: rejected)
    let report = try await walk.finish(.inconsistent)
    #expect((report.error?.code == .guarded) == isRefused, "\(report.error?.message ?? "")")
    #expect(try await mirror.value("SELECT run_id = '\(report.id)' FROM sync.publication") == (isRefused ? "f" : "t"))
    // A ranking is accepted with the same bad items if it has at least one good item.
    let ranking = StreamDescription.list("top-anime:tv", subtype: "tv")
    var other = try await WalkedList(PostgresWalkStore(mirror.database), ranking)
    try await other.commit(1, items, rejected: rejected)
    #expect(try await other.finish(.inconsistent).error?.code == (good == 0 ? .guarded : nil))
  }

  @Test("the season of most entries is compared with the calendar's; a different one is a warning, and is published")
  func season() async throws {
    let items = Self.media(1...4, "fall", 2026) + Self.media(5...6, "summer", 2026) + Self.media(7...20, nil, nil)
    let right = try await WalkedList.run(mirror, Self.window(expecting: "2026 fall"), [items])
    #expect(right.status == .complete && right.warning == nil)
    let late = try await WalkedList.run(mirror, Self.window(expecting: "2027 winter"), [items])
    #expect(late.status == .complete && late.error == nil)
    let expected =
      "most entries are of 2026 fall (4 of 6), but by the calendar it is 2027 winter; the list is published as the "
      + "service sends it"
    #expect(late.warning == expected)
    #expect(try await mirror.value("SELECT warning FROM sync.run WHERE id = '\(late.id)'") == expected)
    #expect(try await mirror.value("SELECT run_id FROM sync.publication") == late.id)
    let tied = Self.media(31...33, "winter", 2027) + Self.media(34...36, "fall", 2026)
    #expect(try await WalkedList.run(mirror, Self.window(expecting: "2027 winter"), [tied]).warning == nil)
    #expect(try await WalkedList.run(mirror, Self.window(expecting: "2026 fall"), [tied]).warning == nil)
    let unknown = Self.media(41...42, nil, nil)
    #expect(try await WalkedList.run(mirror, Self.window(expecting: "2027 winter"), [unknown]).warning == nil)
  }
}
