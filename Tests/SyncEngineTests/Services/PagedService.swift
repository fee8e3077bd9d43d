import SyncCore
import SyncEngine
import SyncTestKit

/// The ways in which a service of a declared source divides its list into pages.
struct ServicePaging: Sendable, CustomStringConvertible {
  enum Addressing: Sendable {
    /// A request has a page number.
    case pages
    /// A request has the position of the first item.
    case positions
    /// A request has a page number, and the list is sorted by key.
    case catalogue
    /// A page names the position of the next page.
    case chainOfPositions
    /// A page names its last key, after which the next page begins.
    case chainOfKeys
  }

  enum Total: Sendable {
    case absent
    case actual
    /// The number of items on the page, as if `total_path` had the name of another member.
    case ofPage
  }

  /// The answer to a request after the last item.
  enum PastEnd: Sendable, CaseIterable {
    case empty
    case notFound
    /// The status 400 or 422, or a body without a list.
    case refused
    /// The status 500.
    case failing
    case lastPageAgain
  }

  let name: String
  var addressing = Addressing.pages
  /// The number of items that the walk requests.
  var requested = 5
  /// The largest page of the service, if it is smaller than the requested page.
  var cap: Int?
  /// Whether the service computes the position of a numbered page from the requested size although its pages are
  /// smaller.
  var skipsItems = false
  /// Whether the service rounds a position down to a multiple of the page size.
  var isAligned = false
  /// Whether the service omits every seventh item after it has counted positions.
  var hidesItems = false
  /// Whether the keys of the first list are 1, 2, 3, …, so that the number of items so far is also the last key.
  var isDense = false
  var total = Total.absent
  var statesLastPage = false
  var statesNext = false
  var pastEnd = PastEnd.empty

  var description: String { name }

  var machine: any Walk {
    switch addressing {
    case .pages: ListWalk(pageSize: requested)
    case .positions: ListWalk(pageSize: requested, isByPosition: true)
    case .catalogue: CatalogueWalk(pageSize: requested, pageCap: nil)
    case .chainOfPositions, .chainOfKeys: ChainWalk(pageSize: requested)
    }
  }

  var isCatalogue: Bool { addressing == .catalogue }

  var isChain: Bool { addressing == .chainOfPositions || addressing == .chainOfKeys }
}

/// A list that changes while a walk reads it, behind one kind of paging.
struct PagedService {
  let paging: ServicePaging
  private(set) var items: [Int64] = []
  /// The visible items that were in the list at each request since the walk began.
  private(set) var throughout: Set<Int64> = []
  /// The number of the first request after the removal, by removed item.
  private(set) var removedBefore: [Int64: Int] = [:]
  private(set) var requests = 0
  private(set) var changes = 0
  private(set) var failures = 0
  private let rate: Double
  private let failureRate: Double
  private var generator: SeededGenerator

  /// - Parameters:
  ///   - count: The number of items.
  ///   - rate: The probability of a change between two requests.
  ///   - failureRate: The probability that a request fails.
  init(_ paging: ServicePaging, count: Int, rate: Double, failureRate: Double, _ generator: SeededGenerator) {
    self.paging = paging
    self.rate = rate
    self.failureRate = failureRate
    self.generator = generator
    var key: Int64 = 0
    for _ in 0..<count {
      key += paging.isDense ? 1 : Int64.random(in: 1...3, using: &self.generator)
      items.append(key)
    }
    if !isSorted && !paging.isDense { items.shuffle(using: &self.generator) }
    throughout = Set(visible)
  }

  var visible: [Int64] { items.filter { isVisible($0) } }

  private func isVisible(_ key: Int64) -> Bool { !paging.hidesItems || key % 7 != 0 }

  private var isSorted: Bool { paging.isCatalogue || paging.addressing == .chainOfKeys }

  /// Answers a request, after at most one change of the list or several of one kind. A removal and an insertion never
  /// cancel each other out, because page numbers cannot show that.
  /// - Returns: `nil` if the request failed.
  mutating func answer(_ address: PageAddress) -> Page? {
    requests += 1
    if requests > 1, Double.random(in: 0..<1, using: &generator) < rate { change() }
    if requests > 1, Double.random(in: 0..<1, using: &generator) < failureRate {
      failures += 1
      return nil
    }
    return page(at: address)
  }

  private mutating func change() {
    changes += 1
    let count = Int.random(in: 0..<4, using: &generator) == 0 ? Int.random(in: 2...4, using: &generator) : 1
    let kind = Int.random(in: 0..<3, using: &generator)
    for _ in 0..<(kind == 2 ? 1 : count) {
      switch kind {
      case 0: remove()
      case 1: insert()
      default: move()
      }
    }
  }

  private mutating func remove() {
    guard items.count > 1 else { return }
    let key = items.remove(at: Int.random(in: items.indices, using: &generator))
    throughout.remove(key)
    removedBefore[key] = requests
  }

  private mutating func insert() {
    var key: Int64
    repeat { key = Int64.random(in: 1...Int64(4 * items.count + 40), using: &generator) } while items.contains(key)
    removedBefore[key] = nil
    let place =
      isSorted ? items.firstIndex { $0 > key } ?? items.count : Int.random(in: 0...items.count, using: &generator)
    items.insert(key, at: place)
  }

  /// Moves an item to another place, as after a new score.
  private mutating func move() {
    guard !isSorted, !items.isEmpty else { return }
    let key = items.remove(at: Int.random(in: items.indices, using: &generator))
    items.insert(key, at: Int.random(in: 0...items.count, using: &generator))
  }

  private func page(at address: PageAddress) -> Page {
    let size = min(address.size, paging.cap ?? .max)
    let start =
      switch paging.addressing {
      case .pages, .catalogue: (address.page - 1) * (paging.skipsItems ? address.size : size)
      case .positions: paging.isAligned ? address.offset / size * size : address.offset
      case .chainOfPositions: Int(address.next ?? "0") ?? 0
      case .chainOfKeys:
        address.next.flatMap { Int64($0) }.map { last in items.firstIndex { $0 > last } ?? items.count } ?? 0
      }
    if start >= items.count, start > 0 { return pastEnd(size) }
    return page(from: start, size)
  }

  private func page(from start: Int, _ size: Int) -> Page {
    let window = items.dropFirst(start).prefix(size)
    let keys = window.filter { isVisible($0) }
    let hasNext = start + size < items.count
    var claim = PageClaim()
    switch paging.total {
    case .absent: break
    case .actual: claim.total = visible.count
    case .ofPage: claim.total = keys.count
    }
    if paging.statesLastPage { claim.lastPage = max(1, (items.count + size - 1) / size) }
    if paging.statesNext { claim.hasNext = hasNext }
    if paging.isChain, hasNext {
      let next = nextToken(start, size, Array(window))
      claim.next = next
      if next == keys.last.map({ "\($0)" }) { claim.nextKey = next }
    }
    return .items(keys.map { .item($0) }, claim)
  }

  private func nextToken(_ start: Int, _ size: Int, _ window: [Int64]) -> String {
    paging.addressing == .chainOfPositions ? "\(start + size)" : "\(window.last ?? 0)"
  }

  private func pastEnd(_ size: Int) -> Page {
    switch paging.pastEnd {
    case .empty, .failing: .items([], PageClaim())
    case .notFound: .notFound
    case .refused: .refused(SyncError(.upstream, "the service answered 400"))
    case .lastPageAgain: page(from: (items.count - 1) / size * size, size)
    }
  }

  /// Whether a request asks for items after the end of the list at a service that fails there.
  func failsPastEnd(_ address: PageAddress) -> Bool {
    guard paging.pastEnd == .failing, !paging.isChain else { return false }
    let size = min(address.size, paging.cap ?? .max)
    let start = paging.addressing == .positions ? address.offset : (address.page - 1) * size
    return start >= items.count && start > 0
  }
}

extension Page.Entry {
  static func item(_ key: Int64) -> Page.Entry {
    .item(PageItem(key: key, document: [0], contentHash: [0], counterHash: 0))
  }
}
