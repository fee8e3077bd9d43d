import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine

/// Walks that continue after a stop.
extension ListSequenceTests {
  @Test("after any reading, a walk that is resumed continues like the first one", arguments: ListServing.all)
  func resume(_ serving: ListServing) throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    var lists = Lists(
      [
        "a": Self.items(1, 7), "b": [], "c": Self.items(20, 9), "d": [40], "e": Self.items(50, 9),
        "f": Self.items(70, 3),
      ], serving)
    lists.answers["d"] = [1: .notFound]
    lists.answers["e"] = [2: Page?.none]
    if serving.method != .chain { lists.edits["c"] = [2: { $0.removeFirst() }] }
    let stream = serving.stream(names)
    let whole = try Self.walk(&lists, names)
    for count in 0...whole.stored.count {
      var again = Self.resumed(stream, after: Array(whole.stored.prefix(count)))
      if count > 0 { #expect(again.moment == whole.moments[count - 1], "after \(count)") }
      for answer in whole.answers where answer.before >= count {
        #expect(again.step == .fetch(answer.address), "after \(count)")
        try again.receive(answer.page, at: answer.address)
      }
      #expect(again.stored == whole.stored && again.certificate == whole.certificate, "after \(count)")
    }
  }

  @Test("if the present list is no longer in the stream, the next list begins")
  func presentListVanished() throws {
    var lists = Lists(["a": [1], "b": Self.items(10, 7), "c": Self.items(20, 4), "d": [30]])
    let first = try Self.walk(&lists, ["a", "b", "c", "d"], limit: 3)
    let second = try Self.walk(&lists, ["a", "c", "d"], after: first.stored, limit: 1)
    #expect(lists.places == ["a 1", "b 1", "b 2", "c 1"])
    // The next run replays readings of `b` and `c`, although `b` is no list of the stream.
    let third = try Self.walk(&lists, ["a", "c", "d"], after: second.stored)
    #expect(lists.places.suffix(2) == ["c 2", "d 1"] && third.stored.map(\.number) == Array(1...6))
    #expect(Self.endings(third.stored)["c"]?.firstReading == 4)
    let places = WalkedLists(third.stored)
    #expect(places.ended.map(places.places(of:)) == [[1], Self.items(20, 4), [30]])
    #expect(third.certificate.complete && third.certificate.distinctKeys == 6)
    #expect(third.certificate.lists?.total == 3)
  }

  @Test("readings that another list's readings follow are not continued", arguments: [1, 2])
  func leftBehind(readings: Int) throws {
    var lists = Lists(["b": Self.items(10, 7), "c": Self.items(20, 4), "d": Self.items(30, 4)])
    let first = try Self.walk(&lists, ["b", "c", "d"], limit: readings)
    let second = try Self.walk(&lists, ["c", "d"], after: first.stored, limit: 3)
    #expect(lists.places.suffix(3) == ["c 1", "c 2", "d 1"])
    // `d` is continued with the numbers of its own readings, although readings of `c` lie before them.
    let third = try Self.walk(&lists, ["b", "c", "d"], after: second.stored)
    #expect(lists.places.suffix(4) == ["d 2", "b 1", "b 2", "b 3"])
    #expect(third.stored.map(\.number) == Array(1...(readings + 7)))
    #expect(Self.endings(third.stored)["d"]?.firstReading == readings + 3)
    #expect(Self.endings(third.stored)["b"]?.firstReading == readings + 5)
    #expect(third.certificate.complete && third.certificate.distinctKeys == 15)

    // The same, stopped within the list that begins again.
    let stopped = try Self.walk(&lists, ["b", "c", "d"], after: second.stored, limit: 3)
    let fourth = try Self.walk(&lists, ["b", "c", "d"], after: stopped.stored)
    #expect(lists.places.suffix(1) == ["b 3"] && fourth.certificate == third.certificate)
    #expect(fourth.stored == third.stored)
  }

  @Test("a list left before its end begins again after all others, if nothing shows when it was read")
  func leftBehindEnds() throws {
    var lists = Lists(["b": Self.items(10, 7), "c": [20]])
    let first = try Self.walk(&lists, ["b", "c"], limit: 1)
    let second = try Self.walk(&lists, ["c"], after: first.stored)
    #expect(second.step == .end(.lists))
    let third = try Self.walk(&lists, ["b", "c"], after: second.stored)
    #expect(lists.places == ["b 1", "c 1", "b 1", "b 2", "b 3"])
    #expect(third.stored.map(\.number) == Array(1...5) && third.certificate.distinctKeys == 8)
    #expect(Self.endings(third.stored)["b"]?.firstReading == 3 && third.certificate.complete)
  }

  @Test("a list that appears before the present list is read after it")
  func newList() throws {
    var lists = Lists(["0": [5, 6], "a": [1], "b": Self.items(10, 7)])
    let first = try Self.walk(&lists, ["a", "b"], limit: 2)
    let second = try Self.walk(&lists, ["0", "a", "b"], after: first.stored)
    #expect(lists.places == ["a 1", "b 1", "b 2", "b 3", "0 1"])
    #expect(second.certificate.complete && second.certificate.lists?.total == 3)
    #expect(second.stored.map(\.number) == Array(1...5) && second.certificate.distinctKeys == 10)
  }

  private static func batch(_ number: Int) -> StoredPage {
    StoredPage(number: number, page: nil, keys: [99], unreadable: 0, claim: PageClaim(), missed: 1)
  }

  @Test("if all lists were read and lookups are left, no page is requested; new lists are read after the lookups")
  func lookupsLeft() throws {
    var lists = Lists(["a": [1], "b": Self.items(10, 4), "c": Self.items(20, 4), "d": Self.items(30, 4)])
    let first = try Self.walk(&lists, ["a", "b"])
    let stored = first.stored + [Self.batch(4)]
    let again = Self.resumed(lists.serving.stream(["a", "b"]), after: stored)
    #expect(again.step == .end(.lists) && again.certificate == first.certificate)

    let third = try Self.walk(&lists, ["a", "b", "c", "d"], after: stored, limit: 3)
    let fourth = try Self.walk(&lists, ["a", "b", "c", "d"], after: third.stored)
    #expect(lists.places.suffix(4) == ["c 1", "c 2", "d 1", "d 2"])
    #expect(fourth.stored.map(\.number) == Array(1...8) && fourth.certificate.complete)
    #expect(Self.endings(fourth.stored).mapValues(\.firstReading) == ["a": 1, "b": 2, "c": 5, "d": 7])
  }

  @Test("the version of a list is noted only if this run has read the list wholly")
  func version() throws {
    var lists = Lists(["a": [1], "b": Self.items(10, 4), "c": Self.items(20, 9), "d": [30], "e": [40]])
    lists.answers["d"] = [1: .notFound]
    for request in [2, 5, 8] { lists.edits["c", default: [:]][request] = { $0.insert($0.removeLast(), at: 0) } }
    let names = ["a", "b", "c", "d", "e"]
    let stream = lists.serving.stream(names.map { StreamList(name: $0, values: [], version: "1") })
    var first = Self.resumed(stream)
    try Self.read(&lists, &first, limit: 2)
    let newer = lists.serving.stream(names.map { StreamList(name: $0, values: [], version: "2") })
    var second = Self.resumed(newer, after: first.stored)
    try Self.read(&lists, &second)
    let endings = Self.endings(second.stored)
    #expect(endings["a"]?.version == "1")
    #expect(endings["b"]?.status == .complete && endings["b"]?.version == nil, "page 1 can be older than version 2")
    #expect(endings["c"]?.status == .inconsistent && endings["c"]?.version == nil)
    #expect(endings["d"]?.status == .partial && endings["d"]?.version == nil)
    #expect(endings["e"]?.version == "2")
  }
}
