import SyncCore
import Testing

@testable import SyncEngine

@Suite("Which page is requested when pages fail")
struct FrontierTests {
  private func page(_ number: Int) -> PageAddress { PageAddress(page: number, size: 3) }

  @Test("an answer that was fetched ahead makes no hole of a page that fails for the first time")
  func stale() {
    var frontier = Frontier<String>()
    _ = frontier.failed(page(7), position: page(7), isOriginDown: false)
    _ = frontier.answered("nine", page: page(9), position: page(7))
    _ = frontier.answered("seven", page: page(7), position: page(7))
    let isHole = frontier.failed(page(8), position: page(8), isOriginDown: false)
    #expect(!isHole)
    _ = frontier.turn(at: page(10))
    #expect(frontier.held?.page != page(9))
  }
}
