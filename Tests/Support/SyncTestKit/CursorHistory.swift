/// A service whose items change at any moment, and a mirror that walks its list again and again.
package struct CursorHistory: Sendable {
  private enum Order: CaseIterable { case key, ascending, descending }
  private enum Paging: CaseIterable {
    /// The next page begins after the last item.
    case keyset
    /// Pages are counted, with or without a total.
    case counted, countedWithTotal
  }

  package struct Item: Sendable {
    package var value: ModelValue
    fileprivate var version: Int
  }

  private let kind: CursorKind
  /// Whether the service returns items whose value equals the value that it is sent.
  private let isInclusive: Bool
  private let order: Order
  private let paging: Paging
  private let zone: Int
  /// Seconds that the service's clock is behind the database's clock; negative if it is ahead.
  private let skew: Int
  private let pageSize: Int
  private var now = 1_767_225_600
  private var changes = 10
  private var nextKey = 1
  package private(set) var items: [Int: Item] = [:]
  private var stored: [Int: Item] = [:]
  package private(set) var rule = ModelRule()
  /// The items that the last walk has read.
  package private(set) var read = 0
  private var generator: SeededGenerator
  /// The rule that the walks apply.
  private let takesLargest: Bool

  package init(_ kind: CursorKind, seed: UInt64, takesLargest: Bool = false) {
    self.kind = kind
    self.takesLargest = takesLargest
    generator = SeededGenerator(seed: seed)
    isInclusive = Bool.random(using: &generator)
    order = Order.allCases.randomElement(using: &generator) ?? .key
    paging = Paging.allCases.randomElement(using: &generator) ?? .keyset
    zone = 900 * Int.random(in: -48...56, using: &generator)
    skew = Int.random(in: -600...ModelRule.tolerance - 1, using: &generator)
    pageSize = Int.random(in: 1...5, using: &generator)
    for _ in 0..<Int.random(in: 0...14, using: &generator) { change(isNew: true) }
  }

  private var databaseTime: Int { now + skew }

  private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 1...100, using: &generator) <= percent }

  /// Adds or changes an item.
  private mutating func change(isNew: Bool) {
    changes += 1
    let value = kind.value(now: now, change: changes, zone: zone, &generator)
    let key: Int
    if !isNew, kind != .growingIDs, let known = items.keys.sorted().randomElement(using: &generator) {
      key = known
    } else {
      key = nextKey
      nextKey += 1
    }
    items[key] = Item(value: value, version: changes)
  }

  /// What happens between two requests.
  private mutating func pass(_ longest: Int) {
    // Without a total, counted pages cannot notice a removal. With a total, they cannot notice a removal that an
    // insertion balances before the next request.
    let removes = paging != .counted && happens(8)
    if removes {
      if let key = items.keys.sorted().randomElement(using: &generator) { items[key] = nil }
    }
    let changes = !removes || paging == .keyset
    for _ in 0..<[0, 0, 1, 1, 2, 4][Int.random(in: 0..<6, using: &generator)] where changes {
      change(isNew: happens(30))
      if happens(50) { now += Int.random(in: 0...1, using: &generator) }
    }
    now += Int.random(in: 0...longest, using: &generator)
  }

  /// The list in the service's order.
  private func listed(since: ModelValue?) -> [(key: Int, item: Item)] {
    let among = items.filter { isListed($0.value, since: since) }.map { (key: $0.key, item: $0.value) }
    return among.sorted { one, other in
      switch order {
      case .key: one.key < other.key
      case .ascending: (one.item.value.rank, one.key) < (other.item.value.rank, other.key)
      case .descending: (one.item.value.rank, one.key) > (other.item.value.rank, other.key)
      }
    }
  }

  private func isListed(_ item: Item, since: ModelValue?) -> Bool {
    guard let since else { return true }
    return isInclusive ? item.value.rank >= since.rank : item.value.rank > since.rank
  }

  private func comesAfter(_ one: (key: Int, item: Item), _ last: (key: Int, rank: Int)) -> Bool {
    switch order {
    case .key: one.key > last.key
    case .ascending: (one.item.value.rank, one.key) > (last.rank, last.key)
    case .descending: (one.item.value.rank, one.key) < (last.rank, last.key)
    }
  }

  /// Walks the list once. The walk can stop and go on later; it can also be given up.
  package mutating func walk(isQuiet: Bool = false) {
    let isFull = rule.cursor == nil || !isQuiet && happens(5)
    let since = isFull ? nil : rule.cursor
    let startedAt = databaseTime
    var readings: [[Int]] = []
    var last: (key: Int, rank: Int)?
    var total: Int?
    var hasDrift = false
    read = 0
    while true {
      let list = listed(since: since)
      let page: [(key: Int, item: Item)]
      if paging == .keyset {
        page = Array(list.filter { one in last.map { comesAfter(one, $0) } ?? true }.prefix(pageSize))
      } else {
        page = Array(list.dropFirst(readings.count * pageSize).prefix(pageSize))
      }
      if paging == .countedWithTotal {
        hasDrift = hasDrift || total ?? list.count != list.count
        total = list.count
      }
      let known = Set(readings.joined())
      hasDrift = hasDrift || paging != .keyset && page.contains { known.contains($0.key) }
      for one in page { stored[one.key] = one.item }
      readings.append(page.map(\.key))
      read += page.count
      if let end = page.last { last = (end.key, end.item.value.rank) }
      // A walk that the next run does not continue.
      if !isQuiet, happens(3) { return }
      if page.count < pageSize { break }
      if !isQuiet { pass(happens(5) ? 20_000 : 3) }
    }
    // The run reads pages near a change again, or its walk is inconsistent and moves no cursor.
    guard !hasDrift else { return }
    if !isQuiet { pass(2) }
    let later = Set(readings.dropFirst().joined())
    let first = Set(readings.first ?? []).subtracting(later)
    let shown = Set(readings.joined()).compactMap { stored[$0]?.value }
    if takesLargest {
      rule.finishWithLargest(shown: shown, startedAt: startedAt, isFull: isFull)
    } else {
      rule.finish(
        shown: shown, first: first.compactMap { stored[$0]?.value }, startedAt: startedAt, now: databaseTime,
        isFull: isFull)
    }
  }

  /// Lets time pass between two runs.
  package mutating func rest() {
    pass([2, 90, 4000, 100_000][Int.random(in: 0..<4, using: &generator)])
  }

  package mutating func wait(days: Int) { now += 86_400 * days }

  /// Items whose current version is not stored and that the next walk will not request.
  package var missed: [Int] {
    guard let cursor = rule.cursor else { return [] }
    return items.filter { key, item in stored[key]?.version != item.version && !isListed(item, since: cursor) }
      .map(\.key).sorted()
  }
}
