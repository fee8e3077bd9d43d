import SyncCore
import Testing

@testable import SyncEngine

@Suite("Which page is asked for when pages fail")
struct FrontierTests {
  /// The page to ask for, or the answer that is had already.
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

  @Test("a page that fails is looked past, asked once more, and a hole only then")
  func hole() {
    var frontier = Frontier<String>()
    for page in [7, 8] {
      #expect(turn(&frontier, at: 7) == "ask \(page)")
      let isHole = frontier.failed(isOriginDown: false)
      #expect(!isHole)
    }
    #expect(turn(&frontier, at: 7) == "ask 9")
    let settled = frontier.answered("nine", page: page(9), position: page(7))
    #expect(settled == nil && frontier.holds(page(9)))
    #expect(turn(&frontier, at: 7) == "ask 7")
    let isHole = frontier.failed(isOriginDown: false)
    #expect(isHole)
    #expect(turn(&frontier, at: 8) == "ask 8")
    let eight = frontier.answered("eight", page: page(8), position: page(8))
    #expect(eight == "eight")
    #expect(turn(&frontier, at: 9) == "use nine")
    #expect(turn(&frontier, at: 10) == "ask 10")
  }

  @Test("when the service is down, the first page that failed is the next to be asked for")
  func outage() {
    var frontier = Frontier<String>()
    for _ in 0..<4 { _ = frontier.failed(isOriginDown: false) }
    #expect(turn(&frontier, at: 7) == "ask 11")
    let isHole = frontier.failed(isOriginDown: true)
    #expect(!isHole)
    #expect(turn(&frontier, at: 7) == "ask 7")
  }
}
