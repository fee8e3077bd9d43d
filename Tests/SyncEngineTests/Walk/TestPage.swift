import SyncCore
import SyncEngine
import SyncTestKit

struct TestPage: Sendable, Equatable {
  enum Entry: Sendable, Equatable {
    case item(Int64, version: UInt8 = 0)
    case rejected(Int64?)
  }

  var entries: [Entry]
  var claim: PageClaim

  init(entries: [Entry], claim: PageClaim = PageClaim()) {
    self.entries = entries
    self.claim = claim
  }

  init(_ keys: [Int64], unreadable: Int = 0, total: Int? = nil, last: Int? = nil, hasNext: Bool? = nil) {
    self.init(
      entries: keys.map { .item($0) } + Array(repeating: .rejected(nil), count: unreadable),
      claim: PageClaim(total: total, lastPage: last, hasNext: hasNext))
  }

  var page: Page {
    .items(
      entries.map { entry in
        switch entry {
        case .item(let key, let version):
          .item(PageItem(key: key, document: [version], contentHash: [version], counterHash: 0))
        case .rejected(let key): .rejected(RejectedItem(key: key, reason: "wrong_type", detail: "x: y", excerpt: "{}"))
        }
      }, claim)
  }

  /// The page has few keys and small claims, so that repeats, drift, holes and ends all occur.
  static func random(_ generator: inout SeededGenerator) -> TestPage {
    let entries = (0..<Int.random(in: 0...6, using: &generator)).map { _ -> Entry in
      let key = Int64.random(in: 0..<60, using: &generator)
      return switch Int.random(in: 0..<10, using: &generator) {
      case 0: .rejected(key)
      case 1: .rejected(nil)
      default: .item(key, version: UInt8.random(in: 0...2, using: &generator))
      }
    }
    func maybe<T>(_ value: T) -> T? { Int.random(in: 0..<6, using: &generator) == 0 ? nil : value }
    return TestPage(
      entries: entries,
      claim: PageClaim(
        total: maybe(Int.random(in: 50...52, using: &generator)),
        lastPage: maybe(Int.random(in: 1...20, using: &generator)),
        hasNext: maybe(Int.random(in: 0..<4, using: &generator) > 0)))
  }
}

extension Page {
  static func naming(_ keys: [Int64?], _ claim: PageClaim = PageClaim()) -> Page {
    let unreadable = RejectedItem(key: nil, reason: "no_id", detail: "", excerpt: "")
    return .items(keys.map { $0.map(Entry.listed) ?? .rejected(unreadable) }, claim)
  }
}

extension Walk {
  /// - Parameter answer: nil for a 404.
  mutating func receive(
    _ answer: TestPage?, page: Int, size: Int = 3, request: UpstreamRequest
  ) throws(SyncError) -> Reading {
    try receive(answer?.page ?? .notFound, at: PageAddress(page: page, size: size), request: request)
  }
}

extension WalkStep {
  static func page(_ number: Int, size: Int = 3) -> WalkStep { .fetch(PageAddress(page: number, size: size)) }
}
