import SyncCore
import Testing

@testable import SyncEngine

@Suite("Which page is requested when pages fail")
struct FrontierTests {
  /// The next page to request, or `answer` if its answer has already been fetched.
  private func turn(_ frontier: inout Frontier<String>, at position: Int) -> String {
    switch frontier.turn(at: page(position)) {
    case .ask(let count): "ask \(position + count)"
    case .use(let answer): "use \(answer)"
    }
  }

  private func page(_ number: Int) -> PageAddress { PageAddress(page: number, size: 3) }

  @Test("nothing fails: page after page")
  func plain() {
    var frontier = Frontier<String>()
    for page in 1...3 {
      #expect(turn(&frontier, at: page) == "ask \(page)")
      let settled = frontier.answered("\(page)", page: self.page(page), position: self.page(page))
      #expect(settled == "\(page)")
    }
  }

  @Test("after a failed page later ones are requested, then the page again; only then is it a hole")
  func hole() {
    var frontier = Frontier<String>()
    for page in [7, 8] {
      #expect(turn(&frontier, at: 7) == "ask \(page)")
      let isHole = frontier.failed(self.page(page), position: self.page(7), isOriginDown: false)
      #expect(!isHole)
    }
    #expect(turn(&frontier, at: 7) == "ask 9")
    let settled = frontier.answered("nine", page: page(9), position: page(7))
    #expect(settled == nil && frontier.held?.page == page(9))
    #expect(turn(&frontier, at: 7) == "ask 7")
    let isHole = frontier.failed(page(7), position: page(7), isOriginDown: false)
    #expect(isHole)
    #expect(turn(&frontier, at: 8) == "ask 8")
    let eight = frontier.answered("eight", page: page(8), position: page(8))
    #expect(eight == "eight")
    #expect(turn(&frontier, at: 9) == "use nine")
    #expect(turn(&frontier, at: 10) == "ask 10")
  }

  @Test("when the service is down, the first page that failed is requested next")
  func outage() {
    var frontier = Frontier<String>()
    for number in 7...10 { _ = frontier.failed(page(number), position: page(7), isOriginDown: false) }
    #expect(turn(&frontier, at: 7) == "ask 11")
    let isHole = frontier.failed(page(11), position: page(7), isOriginDown: true)
    #expect(!isHole)
    #expect(turn(&frontier, at: 7) == "ask 7")
  }

  @Test("an answer that was fetched ahead makes no hole of a page that fails for the first time")
  func stale() {
    var frontier = Frontier<String>()
    _ = frontier.failed(page(7), position: page(7), isOriginDown: false)
    _ = frontier.answered("nine", page: page(9), position: page(7))
    _ = frontier.answered("seven", page: page(7), position: page(7))
    // A catalogue can step back or jump.
    let isHole = frontier.failed(page(8), position: page(8), isOriginDown: false)
    #expect(!isHole)
    _ = turn(&frontier, at: 10)
    #expect(frontier.held?.page != page(9))
  }
}
