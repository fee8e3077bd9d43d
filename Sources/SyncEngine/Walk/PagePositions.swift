/// Where the pages of one pass begin in a list that is requested by position.
///
/// Positions count from 0. A page begins where the items that arrived on the page before it ended, so a service that
/// returns fewer items than requested skips none. If the list states no total, each page begins one item earlier. The
/// overlap shows that no item was removed before the page between the two requests.
struct PagePositions: Sendable {
  /// The number of items that each request asks for.
  let limit: Int
  /// Whether the service rounds a position down to a whole page, so that pages cannot overlap.
  private(set) var isAligned = false
  /// The positions of the pages that arrived and of the next page, in ascending order.
  private var starts = [0]
  /// The position after the last item that arrived.
  private(set) var end = 0
  /// The number of items on the last page that arrived, with unreadable items. 0 before page 1 and after a hole.
  private(set) var lastCount = 0
  /// Whether `passNextPage` moved the start of the next page.
  private var hasPassed = false

  init(limit: Int) { self.limit = limit }

  /// Positions for another pass through the list.
  func restarted() -> PagePositions {
    var positions = PagePositions(limit: limit)
    positions.isAligned = isAligned
    return positions
  }

  /// The position of a page by its number, from 1. Numbers out of range are clamped to known pages.
  func start(of number: Int) -> Int { starts[min(max(number, 1), starts.count) - 1] }

  /// The number of the page that begins at a position.
  func number(at position: Int) -> Int { (starts.lastIndex { $0 <= position } ?? 0) + 1 }

  /// The number of items that the page at a position shares with the page before it, if the list did not change.
  func expectedOverlap(at position: Int) -> Int { lastCount == 0 ? 0 : max(0, end - position) }

  /// Notes a page with items.
  /// - Parameters:
  ///   - items: The number of items, with unreadable items. At least 1.
  ///   - overlaps: Whether the next page begins at the last item of this page.
  mutating func add(at position: Int, items: Int, overlaps: Bool) {
    // A replayed walk learns from its stored positions that the service does not answer a page that overlaps.
    if overlaps, lastCount > 1, position == end { isAligned = true }
    starts[starts.count - 1] = position
    end = position + items
    lastCount = items
    hasPassed = false
    let overlap = overlaps && !isAligned && items > 1 ? 1 : 0
    starts.append(end - overlap)
  }

  /// Notes that a page is unavailable.
  /// - Parameter items: The number of items that the page probably has.
  mutating func skip(at position: Int, items: Int) {
    starts[starts.count - 1] = position
    end = position + max(1, items)
    lastCount = 0
    hasPassed = false
    starts.append(end)
  }

  /// Notes that the service rounds positions down. The next page begins after the last item.
  mutating func align() {
    isAligned = true
    starts[starts.count - 1] = end
  }

  /// Moves the start of the next page behind the items that its request could have returned.
  /// - Returns: False if the start was already moved.
  mutating func passNextPage() -> Bool {
    guard !hasPassed else { return false }
    hasPassed = true
    starts[starts.count - 1] += limit
    return true
  }
}

/// The leading items of a page that the page before it also has.
enum PageOverlap {
  /// The largest number of items at the end of one page that are the leading items of the next page.
  static func length(of keys: [Int64], after before: [Int64]) -> Int {
    guard let first = keys.first else { return 0 }
    let longest = min(keys.count, before.count)
    return stride(from: longest, to: 0, by: -1).first { length in
      before[before.count - length] == first && before.suffix(length).elementsEqual(keys.prefix(length))
    } ?? 0
  }
}
