import SyncCore
import Testing

@testable import SyncEngine

@Suite("Walks and ignored answers")
struct IgnoredAnswerTests {
  private static let request = UpstreamRequest(url: "http://test/list")
  private static let methods: [WalkMethod] = [
    .pages, .positions, .single, .sample, .batches, .chain, .catalogue(pageCap: nil),
  ]

  private static func walk(_ method: WalkMethod) -> any Walk {
    let description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
      pageSize: 3, method: method, absence: .endsEntry(.wholeList), sql: StreamSQL(folder: "test", scope: []))
    return description.listWalk()
  }

  private static func expectIgnored(_ walk: any Walk, distinct: Int, _ context: String) {
    let certificate = walk.certificate(endedBy: .ignored)
    #expect(!certificate.complete && !certificate.unproven && !certificate.mayPublish, "\(context)")
    #expect(certificate.distinctKeys == distinct && certificate.status == .partial, "\(context)")
  }

  @Test("an ignored page 1 ends each walk without a reading", arguments: methods)
  func first(method: WalkMethod) throws {
    var walk = Self.walk(method)
    guard case .fetch(let address) = walk.start else {
      Issue.record("the walk has no page 1")
      return
    }
    let reading = try walk.receive(.ignored, at: address, request: Self.request)
    #expect(reading == Reading(stored: nil, step: .end(.ignored)))
    Self.expectIgnored(walk, distinct: 0, "\(method)")
  }

  @Test(
    "an ignored later page ends each walk, also where an empty page would be the end of the list",
    arguments: methods.filter { $0 != .single })
  func later(method: WalkMethod) throws {
    var walk = Self.walk(method)
    guard case .fetch(let first) = walk.start else {
      Issue.record("the walk has no page 1")
      return
    }
    let claim = PageClaim(total: 3, next: method == .chain ? "c2" : nil)
    let page = Page.naming([1, 2, 3], method == .catalogue(pageCap: nil) || method == .chain ? claim : PageClaim())
    guard case .fetch(let second) = try walk.receive(page, at: first, request: Self.request).step else {
      Issue.record("\(method) has no page 2")
      return
    }
    let reading = try walk.receive(.ignored, at: second, request: Self.request)
    #expect(reading == Reading(stored: nil, step: .end(.ignored)), "\(method)")
    Self.expectIgnored(walk, distinct: 3, "\(method)")
  }

  @Test("an ignored list of several is counted, and the next list is read", arguments: [WalkMethod.pages, .chain])
  func severalLists(method: WalkMethod) throws {
    var description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
      pageSize: 3, method: method, absence: .endsEntry(.wholeList), sql: StreamSQL(folder: "test", scope: []))
    description.lists = StreamLists(["a", "b"].map { StreamList(name: $0, values: [$0]) })
    let open = OpenWalk(runID: "run", walkID: 1, generation: 1, leaseTTL: nil, pages: [], databaseTime: 0)
    var walk = ListSequence(description, continuing: open)
    guard case .fetch(let first) = walk.start else {
      Issue.record("the walk has no page")
      return
    }

    let ignored = try walk.receive(.ignored, at: first, request: Self.request)
    let ending = try #require(ignored.stored?.list?.ending)
    #expect(ending.status == .ignored && !ending.publishes && ignored.stored?.keys == [])
    guard case .fetch(let second) = ignored.step else {
      Issue.record("the second list is not read")
      return
    }
    #expect(second.list == "b")
    let page = Page.naming([1, 2], PageClaim(total: 2, lastPage: 1, hasNext: false))
    #expect(try walk.receive(page, at: second, request: Self.request).step == .end(.lists))
    let certificate = walk.certificate(endedBy: .lists)
    #expect(certificate.lists?.ignored == 1 && certificate.lists?.complete == 1 && certificate.lists?.partial == 0)
  }

  @Test("a list of several with a missing page before the ignored answer is partial")
  func missingPage() throws {
    var certificate = Self.walk(.pages).certificate(endedBy: .ignored)
    func status() -> ListStatus { ListEnding(certificate: certificate, firstReading: 1).status }
    #expect(status() == .ignored)
    certificate.holes = [2]
    #expect(status() == .partial)
  }

  @Test("an ignored page that is read again after a change of the list ends the walk")
  func rewalk() throws {
    var walk = Self.walk(.pages)
    let pages = [
      TestPage([1, 2, 3], total: 6, last: 2, hasNext: true), TestPage([3, 4, 5], total: 6, last: 2, hasNext: false),
    ]
    var step = walk.start
    for (number, page) in zip(1..., pages) {
      step = try walk.receive(page, page: number, request: Self.request).step
    }
    #expect(step == .page(1), "the change is not seen")
    let reading = try walk.receive(.ignored, at: PageAddress(page: 1, size: 3), request: Self.request)
    #expect(reading == Reading(stored: nil, step: .end(.ignored)))
    Self.expectIgnored(walk, distinct: 5, "rewalk")
  }
}
