import SyncCore
import SyncEngine
import Testing

@Suite("Samples")
struct SampleWalkTests {
  private func walk(
    _ answers: [TestPage?], as kind: ListWalk.ListType = .sample
  ) throws -> (steps: [WalkStep], walk: ListWalk) {
    var walk = ListWalk(pageSize: 3, as: kind)
    var steps: [WalkStep] = []
    for (index, answer) in answers.enumerated() {
      let reading = try walk.receive(answer, page: index + 1, request: UpstreamRequest(url: "http://test/search"))
      steps.append(reading.step)
      if case .end = reading.step { break }
    }
    return (steps, walk)
  }

  @Test("a service that returns the same items again knows no offsets: this is the end, and all was seen")
  func echo() throws {
    let (steps, walk) = try walk([.init([1, 2, 3]), .init([3, 1, 2])])
    #expect(steps == [.page(2), .end(.echo)])
    let certificate = walk.certificate(endedBy: .echo)
    #expect(certificate.complete && certificate.drift == 0 && certificate.mayPublish && certificate.distinctKeys == 3)
  }

  @Test("fewer items than requested, or none, are the end")
  func ends() throws {
    #expect(try walk([.init([1, 2], hasNext: false)]).steps == [.end(.noNextPage)])
    #expect(try walk([.init([1, 2, 3]), .init([], total: 0)]).steps == [.page(2), .end(.emptyPage)])
    #expect(try walk([.init([], total: 0)]).steps == [.end(.emptyPage)])
  }

  @Test("old items among new ones are not drift, and nothing is read again")
  func repeats() throws {
    let (steps, walk) = try walk([.init([1, 2, 3]), .init([2, 4, 5]), .init([5, 1, 6], hasNext: false)])
    #expect(steps == [.page(2), .page(3), .end(.noNextPage)])
    let certificate = walk.certificate(endedBy: .noNextPage)
    #expect(certificate.complete && certificate.drift == 0 && certificate.distinctKeys == 6)
  }

  @Test("a page with an item without an id is not a repeated page")
  func unreadable() throws {
    let (steps, walk) = try walk([.init([1, 2, 3]), .init([1, 2], unreadable: 1, hasNext: false)])
    #expect(steps == [.page(2), .end(.noNextPage)])
    #expect(!walk.certificate(endedBy: .noNextPage).complete)
  }

  @Test("a service that always finds something new is stopped after fifty pages")
  func endless() throws {
    let pages = (0..<60).map { page -> TestPage? in TestPage((0..<3).map { Int64(3 * page + $0) }) }
    let (steps, walk) = try walk(pages)
    #expect(steps.count == Limits.samplePages && steps.last == .end(.pageCap))
    #expect(walk.certificate(endedBy: .pageCap).status == .partial)
  }

  @Test("batches end at their known end; an empty one is not a hole, and an item that occurs twice is not drift")
  func batches() throws {
    let (steps, walk) = try walk(
      [
        .init([], last: 3, hasNext: true), .init([1, 2], last: 3, hasNext: true), .init([2], last: 3, hasNext: false),
      ], as: .batches)
    #expect(steps == [.page(2), .page(3), .end(.noNextPage)])
    let certificate = walk.certificate(endedBy: .noNextPage)
    #expect(certificate.complete && certificate.holes.isEmpty && certificate.distinctKeys == 2)
    let empty = try self.walk([.init([], last: 1, hasNext: false)], as: .batches)
    #expect(empty.steps == [.end(.noNextPage)])
    #expect(empty.walk.certificate(endedBy: .noNextPage).complete)
  }
}
